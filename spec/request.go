package spec

import (
	"fmt"
	"slices"
	"time"

	"foretoken/model"
	"foretoken/sampler"
)

// A Request is what one generation is asked for.
type Request struct {
	Prompt    []model.Token // at least one token
	K         int           // draft length, at least 0
	MaxTokens int           // tokens to emit at most, at least 1; -1: as the context allows
	Sampler   sampler.Config
	Seed      uint64        // of the three streams; sampler.DefaultSeed where none is asked for
	EOS       []model.Token // each ends the text, and is emitted and counted
	Stop      []string      // none of it is emitted; needs Text
	// StopTokens end the text as stop strings do, and are not emitted: the control tokens
	// that a stop string names.
	StopTokens []model.Token
	Text       TextStream           // decodes what is emitted; nil: tokens only
	Emit       func(Emission) error // hears what has come, where there is any; nil: nobody does
	// Resumed are tokens that were generated before: the text goes on after them as if it
	// had not stopped. Engine stands after the last. They are no part of the result.
	Resumed []model.Token
	Prefill *Prefill                 // of the same target and prompt; nil: the prompt is computed
	Engine  sampler.ConstraintEngine // nil constrains nothing
	// TopLogprobs asks for the log-probabilities of every token and of so many of
	// the best ids at its position, 0 to sampler.MaxLogprobs; nil: none are computed.
	TopLogprobs *int
}

// A TextStream turns tokens into text that never ends in half a code point.
type TextStream interface {
	Push(model.Token) string // what can be said after this token
	Flush() string           // what was held back
}

// A Finish says why a generation ended.
type Finish string

const (
	FinishEOS       Finish = "eos"
	FinishStop      Finish = "stop"      // a stop string
	FinishLength    Finish = "length"    // MaxTokens
	FinishContext   Finish = "context"   // the target's context is full
	FinishCancelled Finish = "cancelled" // the context was; what there is stands
	FinishFailed    Finish = "failed"    // a step failed; what there is stands
)

// A Result is what came of a request.
type Result struct {
	Tokens   []model.Token // emitted, the prompt left out; cut together with Text
	Text     string
	Logprobs []*sampler.Logprobs // of Tokens, where asked for; nil of a forced one
	Finish   Finish
	Rounds   []Round
	Facts    Facts
}

// Facts are of a whole request. The rounds hold neither prefill.
type Facts struct {
	Setup         time.Duration // from the call to the prefill
	PrefillTarget time.Duration // a Prefill's too, which was measured once and counts in every request on it
	PrefillDraft  time.Duration
	FirstToken    time.Duration // from the call to the first emission
	GapP50        time.Duration // between emissions
	GapP95        time.Duration
	Wall          time.Duration
	PeakMemory    int64 // bytes resident at most, of the process; 0 where unknown

	TargetLaw string // fingerprint of the target's distributions
	DraftLaw  string // and of the draft's; "" drafts nothing
}

// check refuses what cannot be run on a target.
func (r Request) check(target model.Info) error {
	switch {
	case len(r.Prompt) == 0:
		return fmt.Errorf("spec: empty prompt, want at least one token")
	case r.K < 0:
		return fmt.Errorf("spec: draft length %d, want at least 0", r.K)
	case r.MaxTokens == 0 || r.MaxTokens < -1:
		return fmt.Errorf("spec: max tokens %d, want at least 1, or -1 for as many as the context holds", r.MaxTokens)
	case target.Context == 0 && r.MaxTokens < 0:
		return fmt.Errorf("spec: max tokens -1, want a number: %s has no end to its context", target.Name)
	case target.Context > 0 && len(r.Prompt)+len(r.Resumed) >= target.Context:
		return fmt.Errorf("spec: prompt of %d tokens, want less than the context of %s, %d", len(r.Prompt)+len(r.Resumed), target.Name, target.Context)
	case r.Prefill != nil && !slices.Equal(r.Prefill.prompt, r.Prompt):
		return fmt.Errorf("spec: prefill of another prompt, of %d tokens, want the request's %d", len(r.Prefill.prompt), len(r.Prompt))
	case len(r.Stop) > 0 && r.Text == nil:
		return fmt.Errorf("spec: stop strings need a text stream")
	case r.TopLogprobs != nil && (*r.TopLogprobs < 0 || *r.TopLogprobs > sampler.MaxLogprobs):
		return fmt.Errorf("spec: %d log-probabilities, want 0 to %d", *r.TopLogprobs, sampler.MaxLogprobs)
	case slices.Contains(r.Stop, ""):
		return fmt.Errorf("spec: empty stop string")
	}
	for i, t := range slices.Concat(r.Prompt, r.Resumed) {
		if t < 0 || int(t) >= target.Real {
			return fmt.Errorf("spec: prompt token %d is %d, want an id below %d", i, t, target.Real)
		}
	}
	return r.Sampler.Within(target.Real)
}

// limit is how many tokens may be emitted, and what it means to reach it.
func (r Request) limit(target model.Info) (int, Finish) {
	room := target.Context - len(r.Prompt) - len(r.Resumed)
	if target.Context > 0 && (r.MaxTokens < 0 || room < r.MaxTokens) {
		return room, FinishContext
	}
	return r.MaxTokens, FinishLength
}
