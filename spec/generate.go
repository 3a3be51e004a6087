package spec

import (
	"context"
	"fmt"
	"slices"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/verify"
)

// Start refuses what cannot run, and brings the caches to the invariant. Tokens
// past the prompt are a generation resumed: Engine stands after the last.
func (d *Decoder) Start(ctx context.Context, policy verify.Policy) error {
	if d.Prompt < 1 || d.Prompt > len(d.Tokens) {
		return fmt.Errorf("spec: prompt of %d in %d tokens, want at least 1", d.Prompt, len(d.Tokens))
	}
	law := d.Drafter.Law()
	if err := policy.Allow(d.Builder.Fingerprint(), law, d.Verifier); err != nil {
		return err
	}
	if _, ok := d.Target.(model.TreeForwarder); law.Tree && !ok {
		return fmt.Errorf("spec: %T forwards no trees", d.Target)
	}
	if _, err := d.Target.Forward(d.Tokens[:len(d.Tokens)-1], 0); err != nil {
		return err
	}
	if w, ok := d.Drafter.(draft.Warmer); ok {
		return w.Warm(ctx, d.position())
	}
	return nil
}

// Generate emits n tokens in rounds of draft length k, or fewer if one of them
// is a stop token.
func (d *Decoder) Generate(ctx context.Context, k, n int) ([]Round, error) {
	var rounds []Round
	for left := n; left > 0 && !d.stopped(); {
		r, err := d.Round(ctx, k, left)
		if err != nil {
			return rounds, err
		}
		rounds, left = append(rounds, r), left-r.Emitted()
	}
	return rounds, nil
}

func (d *Decoder) stopped() bool {
	return len(d.Tokens) > d.Prompt && slices.Contains(d.Stop, d.Tokens[len(d.Tokens)-1])
}
