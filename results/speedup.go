package results

import "foretoken/stat"

// Speedup pairs the rows of an arm with the control's by prompt, seed and repeat.
// The tokens of a pair may differ in number where only their law is the same, so
// the control's time is taken per token.
func Speedup(arm, control []Row) stat.Interval {
	plain := map[Key]Row{}
	for _, r := range control {
		plain[pairKey(r)] = r
	}
	return stat.Positive(byPrompt(arm, func(r Row) stat.Cluster {
		c, ok := plain[pairKey(r)]
		if !ok || len(c.Tokens) == 0 {
			return stat.Cluster{}
		}
		return stat.Cluster{Y: c.Decode().Seconds() * float64(len(r.Tokens)) / float64(len(c.Tokens)), X: r.Decode().Seconds()}
	}))
}

// pairKey names what the rows of all arms at one point have in common.
func pairKey(r Row) Key {
	k := r.Key()
	k.Arm = ""
	return k
}
