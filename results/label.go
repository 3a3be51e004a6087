package results

import (
	"fmt"
	"strings"
)

// label gives the arms names for people: the rule, the temperature and the
// constraint only where they tell arms apart.
func (s *Summary) label() {
	rules, temperatures, constraints := map[string]bool{}, map[float64]bool{}, map[string]bool{}
	for _, a := range s.Header.Arms {
		temperatures[a.Temperature], constraints[a.Constraint] = true, true
		if !a.Control() {
			rules[a.Verifier] = true
		}
	}
	var common []string
	for rule := range rules {
		if len(rules) == 1 {
			common = append(common, rule)
		}
	}
	for t := range temperatures {
		if len(temperatures) == 1 {
			common = append(common, fmt.Sprintf("temperature %v", t))
		}
	}
	for c := range constraints {
		if len(constraints) == 1 && c != "" {
			common = append(common, "constraint "+c)
		}
	}
	s.Common = strings.Join(common, ", ")
	for i := range s.Arms {
		a := &s.Arms[i]
		a.Label = "plain"
		if !a.Arm.Control() {
			a.Label = fmt.Sprintf("%s K=%d", a.Arm.Drafter, a.Arm.K)
			if len(rules) > 1 {
				a.Label += " " + a.Arm.Verifier
			}
		}
		if len(temperatures) > 1 {
			a.Label += fmt.Sprintf(" T=%v", a.Arm.Temperature)
		}
		if len(constraints) > 1 && a.Arm.Constraint != "" {
			a.Label += " " + a.Arm.Constraint
		}
	}
}
