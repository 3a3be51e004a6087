package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Series is an arm but for its draft length: one curve by K. It is comparable.
type Series struct {
	Drafter     string // the label; "" where a name is asked of what several drafters share
	Verifier    string
	Temperature float64
	Constraint  string
}

// Series returns the series that a belongs to.
func (a Arm) Series() Series { return Series{a.Drafter, a.Verifier, a.Temperature, a.Constraint} }

// Name is the ID of an arm: all that tells it from others.
func (a Arm) Name() string {
	name := "plain"
	if !a.Control() {
		name = fmt.Sprintf("%s/k=%d/%s", a.Drafter, a.K, a.Verifier)
	}
	name += "/t=" + strconv.FormatFloat(a.Temperature, 'g', -1, 64)
	if a.Constraint != "" {
		name += "/" + a.Constraint
	}
	return name
}

// Unconstrained is a without its constraint: the arm that it stands beside in a table of
// constraints.
func (a Arm) Unconstrained() Arm {
	a.ID, a.Constraint = "", ""
	return a
}

// controlOf names the plain arm at the temperature and under the constraint of a.
func controlOf(arms []Arm, a Arm) string {
	for _, c := range arms {
		if c.Control() && c.Temperature == a.Temperature && c.Constraint == a.Constraint {
			return c.ID
		}
	}
	return ""
}

// Names name the arms and series of a run for people: the rule, the temperature and the
// constraint only where they tell arms apart.
type Names struct {
	rules, temperatures, constraints bool   // there are several
	Common                           string // what all drafting arms share, and names leave out
}

// NamesOf returns the names of a run with these arms.
func NamesOf(arms []Arm) Names {
	var rules, constraints []string
	var temperatures []float64
	for _, a := range arms {
		temperatures, constraints = add(temperatures, a.Temperature), add(constraints, a.Constraint)
		if !a.Control() {
			rules = add(rules, a.Verifier)
		}
	}
	n := Names{rules: len(rules) > 1, temperatures: len(temperatures) > 1, constraints: len(constraints) > 1}
	var common []string
	if len(rules) == 1 {
		common = append(common, rules[0])
	}
	if len(temperatures) == 1 {
		common = append(common, fmt.Sprintf("temperature %v", temperatures[0]))
	}
	if len(constraints) == 1 && constraints[0] != "" {
		common = append(common, "constraint "+constraints[0])
	}
	n.Common = strings.Join(common, ", ")
	return n
}

func add[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// Arm names an arm in tables.
func (n Names) Arm(a Arm) string {
	if a.Control() {
		s := a.Series()
		s.Drafter, s.Verifier = "plain", ""
		return n.Series(s)
	}
	s := a.Series()
	s.Drafter = fmt.Sprintf("%s K=%d", a.Drafter, a.K)
	return n.Series(s)
}

// Series names a series; without a drafter, what is left of it.
func (n Names) Series(s Series) string {
	var parts []string
	if s.Drafter != "" {
		parts = append(parts, s.Drafter)
	}
	if n.rules && s.Verifier != "" {
		parts = append(parts, s.Verifier)
	}
	if n.temperatures {
		parts = append(parts, fmt.Sprintf("T=%v", s.Temperature))
	}
	if n.constraints && s.Constraint != "" {
		parts = append(parts, s.Constraint)
	}
	return strings.Join(parts, " ")
}
