package spec

import "foretoken/sampler"

// report appends the log-probabilities of what a round emits, each from the row
// that its token was judged by.
func (d *Decoder) report(post *posterior, e emitted) error {
	node := -1
	for i, row := range e.rows() {
		engine, err := post.engine(node)
		if err != nil {
			return err
		}
		var lp *sampler.Logprobs
		if _, forced := (sampler.Position{Engine: engine}).Forced(); !forced {
			one, err := d.Builder.Logprobs(post.logits, row, e.tokens[i], *d.TopLogprobs)
			if err != nil {
				return err
			}
			lp = &one
		}
		d.Logprobs = append(d.Logprobs, lp)
		if i < len(e.path) {
			node = e.path[i]
		}
	}
	return nil
}
