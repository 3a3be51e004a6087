package results

import "foretoken/model"

const maxPeriod = 24 // tokens

// CyclicShare is the share of tokens that stand in a cycle: a stretch of at least
// three whole periods, of at most 24 tokens each, and of 12 tokens or more. Text
// that runs in circles is easy to draft, and makes acceptance look good.
func CyclicShare(tokens []model.Token) float64 {
	if len(tokens) == 0 {
		return 0
	}
	cyclic := make([]bool, len(tokens))
	for p := 1; p <= maxPeriod; p++ {
		from := 0 // of the stretch in which every token equals the one p before it
		for i := p; i <= len(tokens); i++ {
			if i < len(tokens) && tokens[i] == tokens[i-p] {
				continue
			}
			if n := i - from; n >= 3*p && n >= 12 {
				for j := from; j < i; j++ {
					cyclic[j] = true
				}
			}
			from = i - p + 1
		}
	}
	n := 0
	for _, c := range cyclic {
		if c {
			n++
		}
	}
	return float64(n) / float64(len(tokens))
}
