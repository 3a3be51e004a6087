// Package spec runs speculative decoding: draft, verify, accept, roll back. One loop
// serves every drafter, acceptance rule and backend.
//
// A Setup is the values that requests run on, a Request what one generation is asked for.
// Generate runs a request from its prompt to its end:
//
//	result, err := spec.Generate(ctx, setup, request)
//
// It is this loop, which others may write themselves, such as a scheduler that lets one
// forward serve the steps of many generations:
//
//	g, err := spec.Open(ctx, setup, request)   // sessions, prefill
//	for !g.Done() {
//		step, err := g.Begin(ctx)              // drafts: a batch for the target's session
//		logits, err := step.Forward()          // one forward
//		emission, err := step.Settle(logits)   // judges, commits, rolls back
//	}
//	result := g.Result()
//
// An Emission is final. Tokens that a stop string may yet cut are held back, and so are the
// facts of their rounds.
package spec
