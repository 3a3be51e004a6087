package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"foretoken/sampler"
)

// The constraints that are no schema's file.
const (
	noConstraint   = "none"
	jsonConstraint = "json"
)

// holds reads what each constraint of c holds a text to, by its name in an arm, and
// the sha256 of the schemas. A relative file is looked for in each of the folders.
func (c Config) readConstraints(folders ...string) (map[string]Constraint, map[string]string, error) {
	constraints, sums := map[string]Constraint{}, map[string]string{}
	for _, name := range c.Constraints {
		h := Constraint{Thinking: c.ThinkingBudget, Blanks: c.Blanks, Bounds: c.Bounds}
		switch name {
		case noConstraint:
			name = ""
		case jsonConstraint:
			h.JSON = true
		default:
			path, err := find(name, folders)
			if err != nil {
				return nil, nil, fmt.Errorf("constraint %w", err)
			}
			if h.Schema, err = ReadSchema(path); err != nil {
				return nil, nil, err
			}
			h.Strict, h.Name = c.Strict, "the JSON schema "+name
			sum := sha256.Sum256(h.Schema)
			sums[name] = hex.EncodeToString(sum[:])
		}
		if err := h.Check(); err != nil {
			return nil, nil, fmt.Errorf("constraint %s: %w", name, err)
		}
		constraints[name] = h
	}
	return constraints, sums, nil
}

func (d *decoder) checkConstraints(c *Config) error {
	if len(c.Constraints) == 0 {
		return d.fail("constraints", "is empty, want none, json, or the file of a JSON schema")
	}
	for i, name := range c.Constraints {
		path := fmt.Sprintf("constraints[%d]", i)
		switch {
		case name == "":
			return d.fail(path, "is empty, want none, json, or the file of a JSON schema")
		case strings.ContainsAny(name, "\n\t"):
			return d.fail(path, fmt.Sprintf("%q, want a file's name without control characters", name))
		case name != noConstraint && c.IgnoreEOS:
			return d.fail(path, name+" ends where its text is whole, ignore_eos goes on; want one of the two")
		}
	}
	switch {
	case c.Blanks < 0 || c.Blanks > MaxBlanks:
		return d.fail("blanks", fmt.Sprintf("%d, want 0 to %d white-space characters in a row", c.Blanks, MaxBlanks))
	case c.Bounds.Check() != nil:
		return d.fail("bounds", c.Bounds.Check().Error())
	case c.Strict && !slices.ContainsFunc(c.Constraints, schemaFile):
		return d.fail("strict", "is of no use without the file of a JSON schema in constraints")
	case c.ThinkingBudget < -1:
		return d.fail("thinking_budget", fmt.Sprintf("%d, want a number of tokens, or -1 for no limit", c.ThinkingBudget))
	case c.Logprobs < -1 || c.Logprobs > sampler.MaxLogprobs:
		return d.fail("logprobs", fmt.Sprintf("%d, want 0 to %d, or -1 for none", c.Logprobs, sampler.MaxLogprobs))
	}
	if slices.ContainsFunc(c.Drafters, Drafter.blind) && !slices.ContainsFunc(c.Constraints, func(name string) bool { return name != noConstraint }) && c.ThinkingBudget < 0 {
		return d.fail("drafters", "blind is of no use without a constraint")
	}
	return distinct(d, "constraints", c.Constraints)
}

func schemaFile(name string) bool { return name != noConstraint && name != jsonConstraint }
