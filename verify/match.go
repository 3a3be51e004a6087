package verify

import (
	"slices"

	"foretoken/draft"
)

// Match draws from the target at every position and keeps the draft while the
// two agree (mlx-lm, llama.cpp). It ignores q, and emits the very tokens plain
// sampling emits. It keeps a token with probability sum(p*q).
type Match struct{}

// Trees implements Rule.
func (Match) Trees() bool { return true }

// Keeps implements Rule.
func (Match) Keeps() Promise { return Tokens }

// Verify implements Rule.
func (Match) Verify(d draft.Proposal, post Posterior, rng Streams) (Verdict, error) {
	var v Verdict
	for node := -1; ; node = v.Path[len(v.Path)-1] {
		p, err := post(node)
		if err != nil {
			return v, err
		}
		v.Next = p.Draw(rng.Target(len(v.Path)))
		children := d.Children(node)
		i := slices.IndexFunc(children, func(c int) bool { return d.Tokens[c] == v.Next })
		if i < 0 {
			v.Judged = append(v.Judged, children...)
			if len(children) > 0 {
				v.Kind = Correction
			}
			return v, nil
		}
		v.Judged = append(v.Judged, children[:i+1]...)
		v.Path = append(v.Path, children[i])
	}
}
