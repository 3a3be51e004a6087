package results

import (
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
	t := Table{Name: "constraints", Title: "With and without constraint",
		Header: []string{"arm", "constraint", "n", "judged", "accepted", "refused", "killed", "acceptance", "of allowed", "whole", "reasoning"},
		Notes: []string{
			"refused = judged drafts that the model refused; killed = those that the constraint forbade, whatever the model thought",
			"acceptance = " + AcceptanceDefinition + "; of allowed = accepted / (judged - killed)",
			"whole = requests that ended by themselves, of all; the others were cut, or ended while thinking, so their text may be no whole JSON",
			"reasoning = tokens inside thinking blocks, their tags left out",
		}}
	arms := slices.Clone(s.Arms)
	slices.SortStableFunc(arms, func(a, b ArmSummary) int {
		return slices.Index(s.kinds(), a.Arm.Unconstrained()) - slices.Index(s.kinds(), b.Arm.Unconstrained())
	})
	for _, a := range arms {
		c, constraint := a.Constraint, a.Arm.Constraint
		if constraint == "" {
			constraint = "none"
		}
		t.Rows = append(t.Rows, []string{a.Label, constraint, fmt.Sprint(a.Prompts), fmt.Sprint(a.Judged), fmt.Sprint(a.Accepted),
			fmt.Sprint(a.Judged - a.Accepted - c.Killed), fmt.Sprint(c.Killed), stat.Percent.Interval(a.Acceptance), stat.Percent.Interval(c.OfAllowed),
			fmt.Sprintf("%d/%d", c.Whole, a.Requests), fmt.Sprint(c.Reasoning)})
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
