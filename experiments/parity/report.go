package parity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A Report is what a run found, of as many requests as it came to.
type Report struct {
	Config    Config  `json:"config"`
	Made      Made    `json:"made,omitzero"` // of the requests that were run last
	Tolerance float64 `json:"tolerance"`
	Cyclic    float64 `json:"cyclic"` // of the reference's text
	Texts     []Text  `json:"texts"`
	Cells     []Cell  `json:"cells"`
}

// A Text is what is kept of the reference's own greedy text.
type Text struct {
	Prompt string  `json:"prompt"`
	Cyclic float64 `json:"cyclic"`
	Spread float64 `json:"spread,omitempty"` // of its logits, where the tolerance is taken from it
}

// A ResumeError says why a comparison cannot go on from what an earlier one found.
type ResumeError struct{ Reason string }

// Error implements error.
func (e *ResumeError) Error() string { return "parity: what is to be gone on with " + e.Reason }

// begin is the report to go on with.
func (c Comparison) begin() (Report, error) {
	r := Report{Config: c.Config, Made: c.Made, Cells: slices.Clone(c.Cells)}
	found := c.Found
	if len(found.Texts) == 0 {
		return r, nil
	}
	ours, err1 := json.Marshal(c.Config)
	theirs, err2 := json.Marshal(found.Config)
	if err1 != nil || err2 != nil || !bytes.Equal(ours, theirs) || len(found.Cells) != len(r.Cells) || len(found.Texts) > len(c.Requests) {
		return r, &ResumeError{"was found by another config: want this one"}
	}
	for i, t := range found.Texts {
		if t.Prompt != c.Requests[i].ID {
			return r, &ResumeError{fmt.Sprintf("has prompt %s where this config has %s", t.Prompt, c.Requests[i].ID)}
		}
	}
	for i, f := range found.Cells {
		if f.label() != r.Cells[i].label() || len(f.Outcomes) != len(found.Texts) {
			return r, &ResumeError{fmt.Sprintf("has %d prompts of %s, want %d of %s", len(f.Outcomes), f.label(), len(found.Texts), r.Cells[i].label())}
		}
		f.setup = r.Cells[i].setup
		r.Cells[i] = f
	}
	if found.Made != c.Made {
		c.Say(fmt.Sprintf("what is gone on with was %s; this is %s", found.Made, c.Made))
	}
	r.Texts = found.Texts
	r.settle()
	return r, nil
}

// add takes a request's outcomes, one a cell.
func (r *Report) add(t Text, outcomes []Outcome) {
	r.Texts = append(r.Texts, t)
	for i, o := range outcomes {
		r.Cells[i].Outcomes = append(r.Cells[i].Outcomes, o)
	}
	r.settle()
}

// settle works out what hangs on all requests: where the tolerance is the reference's own
// spread, each may raise it.
func (r *Report) settle() {
	n := float64(len(r.Texts))
	r.Tolerance, r.Cyclic = r.Config.Tolerance, 0
	for _, t := range r.Texts {
		r.Tolerance, r.Cyclic = max(r.Tolerance, t.Spread), r.Cyclic+t.Cyclic/n
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		c.Cyclic = 0
		for j := range c.Outcomes {
			o := &c.Outcomes[j]
			o.Verdict = o.verdict(r.Tolerance)
			c.Cyclic += o.Cyclic / n
		}
	}
}
