package parity

import (
	"fmt"
	"slices"

	"foretoken/results"
)

// slack is by how much more of an engine's text than of the reference's may be
// cyclic.
const slack = .05

// String implements fmt.Stringer.
func (o Outcome) String() string {
	if o.First < 0 {
		return fmt.Sprintf("%s, logits within %.2g", o.Verdict, o.Worst)
	}
	s := fmt.Sprintf("%s at token %d: %d, the reference's %d; its margin %.2g (rank %d), the row's largest difference %.2g, of all rows %.2g",
		o.Verdict, o.First, o.Got, o.Want, o.Margin, o.Rank, o.Diff, o.Worst)
	if o.Others > 0 {
		s += fmt.Sprintf("; %d more", o.Others)
	}
	return s
}

// Count is how many requests of a cell came to v.
func (c Cell) Count(v Verdict) (n int) {
	for _, o := range c.Outcomes {
		if o.Verdict == v {
			n++
		}
	}
	return n
}

// repeats reports whether a cell's text is more cyclic than it may be.
func (r Report) repeats(c Cell) bool { return c.Cyclic > r.Cyclic+slack }

// Defects is how many requests are defects, and cells that repeat themselves more
// than the reference.
func (r Report) Defects() (n int) {
	for _, c := range r.Cells {
		if n += c.Count(Defect); r.repeats(c) {
			n++
		}
	}
	return n
}

// Tables are the matrix, and every divergence and defect.
func (r Report) Tables() []results.Table {
	matrix := results.Table{Name: "parity", Title: "Parity with mlx-lm",
		Header: []string{"engine", "drafter", "K", "split", "against", "prompts", "equal", "near-tie", "defect", "largest difference", "cyclic"},
		Notes: []string{
			fmt.Sprintf("%d tokens a prompt, greedy but where it says otherwise; a logit may differ by %.2g", r.Config.MaxTokens, r.Tolerance),
			"near-tie: every row within that, teacher-forced, and the reference's top-two margin at the divergence at most twice its row's largest difference; any other divergence is a defect",
			fmt.Sprintf("cyclic: share of the text in cycles; the reference's is %.3f, and %.2f more is a defect", r.Cyclic, slack),
			"split: tokens of a prompt computed at a time, - is all",
			"against: the path of mlx-lm's that is like it; sampled, each token is drawn after the reference's own, with the numbers of MLX's key; the margin of a divergence is how much of the mass, times the temperature, the number misses the reference's token by",
		}}
	others := results.Table{Name: "divergences", Title: "Divergences and defects",
		Header: []string{"engine", "prompt", "verdict", "token", "got", "want", "margin", "rank", "row's difference", "largest difference", "more"},
		Notes: []string{"rank: of the margin among the prompt's, the smallest first; it decides nothing",
			"more: draws after it that are another token, near-ties all"}}
	matrix.Notes = append(matrix.Notes, r.Made.notes()...)
	for _, c := range r.Cells {
		worst := 0.0
		for _, o := range c.Outcomes {
			worst = max(worst, o.Worst)
			if o.Verdict == Equal {
				continue
			}
			cells := []string{c.label(), o.Prompt, string(o.Verdict), "-", "-", "-", "-", "-", "-", fmt.Sprintf("%.2g", o.Worst), orDash(o.Others)}
			if o.First >= 0 {
				copy(cells[3:], []string{fmt.Sprint(o.First), fmt.Sprint(o.Got), fmt.Sprint(o.Want), fmt.Sprintf("%.2g", o.Margin), fmt.Sprint(o.Rank), fmt.Sprintf("%.2g", o.Diff)})
			}
			others.Rows = append(others.Rows, cells)
		}
		cyclic := fmt.Sprintf("%.3f", c.Cyclic)
		if c.Against.sampled() {
			cyclic = "-"
		}
		if r.repeats(c) {
			cyclic += " (too much)"
		}
		matrix.Rows = append(matrix.Rows, []string{c.Engine, c.Drafter, orDash(c.K), orDash(c.Split), c.Against.String(), fmt.Sprint(len(c.Outcomes)),
			fmt.Sprint(c.Count(Equal)), fmt.Sprint(c.Count(NearTie)), fmt.Sprint(c.Count(Defect)), fmt.Sprintf("%.2g", worst), cyclic})
	}
	if len(others.Rows) == 0 {
		return []results.Table{matrix}
	}
	return []results.Table{matrix, others}
}

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// A Score is the verdicts of a cell's requests of one domain.
type Score struct{ Equal, NearTie, Defect int }

// Domains are those of the requests, in order.
func (r Report) Domains() (names []string) {
	for _, c := range r.Cells {
		for _, o := range c.Outcomes {
			if !slices.Contains(names, o.Domain) {
				names = append(names, o.Domain)
			}
		}
	}
	return names
}

// Label names a cell.
func (c Cell) Label() string { return c.label() }

// Score counts the verdicts of a domain.
func (c Cell) Score(domain string) (s Score) {
	for _, o := range c.Outcomes {
		if o.Domain != domain {
			continue
		}
		switch o.Verdict {
		case Equal:
			s.Equal++
		case NearTie:
			s.NearTie++
		default:
			s.Defect++
		}
	}
	return s
}
