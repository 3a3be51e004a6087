package results

import (
	"cmp"
	"fmt"
	"slices"

	"foretoken/spec"
	"foretoken/stat"
)

// A ConstraintSummary is what a constraint did to the drafts of an arm.
type ConstraintSummary struct {
	Whole     int           // requests whose text the model ended, not while it was thinking; the others were cut
	Killed    int           // judged draft tokens that the constraint forbade
	OfAllowed stat.Interval // accepted / (judged - killed)
	Reasoning int           // tokens inside thinking blocks
}

func constraintOf(rows []Row) ConstraintSummary {
	var c ConstraintSummary
	for _, r := range rows {
		c.Killed, c.Reasoning = c.Killed+r.Killed, c.Reasoning+r.Reasoning
		if r.Finish == spec.FinishEOS && !r.Unanswered {
			c.Whole++
		}
	}
	c.OfAllowed = stat.Proportion(byPrompt(rows, func(r Row) stat.Cluster { return stat.Cluster{Y: float64(r.Accepted), X: float64(r.Judged - r.Killed)} }))
	return c
}

func (s Summary) constrained() bool {
	return slices.ContainsFunc(s.Arms, func(a ArmSummary) bool { return a.Arm.Constraint != "" || a.Constraint.Reasoning > 0 })
}

// constraintTable sets the arms of one drafter, K and rule side by side: without a
// constraint, and under each.
func (s Summary) constraintTable() Table {
	figures := []string{"prompts", "judged", "accepted", "refused", "killed", "acceptance", "of_allowed", "whole", "reasoning_tokens"}
	arms, kinds := slices.Clone(s.Arms), s.kinds()
	slices.SortStableFunc(arms, func(a, b ArmSummary) int {
		return slices.Index(kinds, a.Arm.Unconstrained()) - slices.Index(kinds, b.Arm.Unconstrained())
	})
	sorted := s
	sorted.Arms = arms
	t := sorted.byArm("constraints", "With and without constraint", figures...)
	t.define("refused", "killed", "acceptance", "of_allowed", "whole", "reasoning_tokens")
	t.Header = slices.Insert(t.Header, 1, "constraint")
	at := slices.Index(t.Header, head("whole"))
	for i, a := range arms {
		t.Rows[i] = slices.Insert(t.Rows[i], 1, cmp.Or(a.Arm.Constraint, "none"))
		t.Rows[i][at] += fmt.Sprintf("/%d", a.Requests)
	}
	return t
}

// kinds are the arms without their constraints, in order.
func (s Summary) kinds() []Arm {
	var out []Arm
	for _, a := range s.Arms {
		out = add(out, a.Arm.Unconstrained())
	}
	return out
}
