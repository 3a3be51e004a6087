package results

import (
	"fmt"

	"foretoken/model"
)

// A Verdict says how the tokens of a row compare with the control's.
type Verdict string

// What parity can be.
const (
	Equal    Verdict = "equal"
	Differs  Verdict = "differs"
	LawOnly  Verdict = "law only" // sampled under a rule that keeps the law, not the draw
	Unpaired Verdict = "unpaired" // the control's row is missing
)

// A Parity is the comparison of one row with its control.
type Parity struct {
	Row     Key
	Domain  string
	Verdict Verdict
	First   int // index of the first token that differs; -1 where none does
	Tokens  int // of the row
}

// Parities compares the rows of an arm with the control's, in the order of the
// arm's.
func Parities(a Arm, arm, control []Row) []Parity {
	plain := map[Key]Row{}
	for _, r := range control {
		plain[pairKey(r)] = r
	}
	var out []Parity
	for _, r := range arm {
		p := Parity{Row: r.Key(), Domain: r.Domain, Verdict: Unpaired, First: -1, Tokens: len(r.Tokens)}
		if c, ok := plain[pairKey(r)]; ok {
			p.First = firstDifference(r.Tokens, c.Tokens)
			switch {
			case p.First < 0:
				p.Verdict = Equal
			case a.Exact():
				p.Verdict = Differs
			default:
				p.Verdict = LawOnly
			}
		}
		out = append(out, p)
	}
	return out
}

// firstDifference is -1 for equal sequences; a shorter one differs at its end.
func firstDifference(a, b []model.Token) int {
	n := model.Common(a, b)
	if n == len(a) && n == len(b) {
		return -1
	}
	return n
}

// A ParityCount is of one arm, or of one domain of it.
type ParityCount struct{ Equal, Differs, LawOnly, Unpaired int }

// CountParity counts verdicts; domain "" counts all.
func CountParity(ps []Parity, domain string) ParityCount {
	var c ParityCount
	for _, p := range ps {
		if domain != "" && p.Domain != domain {
			continue
		}
		switch p.Verdict {
		case Equal:
			c.Equal++
		case Differs:
			c.Differs++
		case LawOnly:
			c.LawOnly++
		default:
			c.Unpaired++
		}
	}
	return c
}

// Paired is how many rows had a control.
func (c ParityCount) Paired() int { return c.Equal + c.Differs + c.LawOnly }

// String gives equal/paired, and says where equality was not to be expected.
func (c ParityCount) String() string {
	s := fmt.Sprintf("%d/%d", c.Equal, c.Paired())
	if c.LawOnly > 0 {
		s += " (law only)"
	}
	if c.Paired() == 0 {
		s = "-"
	}
	return s
}
