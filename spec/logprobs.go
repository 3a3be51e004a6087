package spec

import "foretoken/sampler"

// report appends the log-probabilities of the tokens taken, where they are asked for, each
// from the row that its token was judged by.
func (g *Generation) report(post *posterior, t taken) error {
	if g.request.TopLogprobs == nil {
		return nil
	}
	node := -1
	for i, row := range t.rows() {
		engine, err := post.engine(node)
		if err != nil {
			return err
		}
		var lp *sampler.Logprobs
		if _, forced := (sampler.Position{Engine: engine}).Forced(); !forced {
			one, err := g.builder.Logprobs(post.logits, row, t.tokens[i], *g.request.TopLogprobs)
			if err != nil {
				return err
			}
			lp = &one
		}
		g.logprobs = append(g.logprobs, lp)
		if i < len(t.path) {
			node = t.path[i]
		}
	}
	return nil
}
