package jsonmask

import "fmt"

// Bounds limit what a schema leaves unbounded, where small models go round in circles
// until the budget ends. What the schema bounds itself is as it says. 0 is no bound.
type Bounds struct {
	Characters int `yaml:"characters"` // of a string or name without maxLength and pattern
	Digits     int `yaml:"digits"`     // of a number without minimum, maximum and multipleOf, on either side of its point; at most 20, as those with them have
	Items      int `yaml:"items"`      // of a list without maxItems, and undeclared members of an object without maxProperties
}

// Check reports a bound out of its range.
func (b Bounds) Check() error {
	switch {
	case b.Characters < 0:
		return fmt.Errorf("%d characters, want at least 1, or 0 for no bound", b.Characters)
	case b.Digits < 0 || b.Digits > maxDigits:
		return fmt.Errorf("%d digits, want 1 to %d, or 0 for no bound", b.Digits, maxDigits)
	case b.Items < 0:
		return fmt.Errorf("%d items, want at least 1, or 0 for no bound", b.Items)
	}
	return nil
}

// length is the most code points of a string of at least low, whose schema says high.
func (c *compiler) length(low, high int, patterns ...string) int {
	if most := c.options.Bounds.Characters; most > 0 && high < 0 && len(patterns) == 0 {
		return max(most, low)
	}
	return high
}

// items is the most items of a list.
func (c *compiler) items(f flat) int {
	if most := c.options.Bounds.Items; most > 0 && f.maxItems < 0 && len(f.contains) == 0 {
		return max(most, f.minItems)
	}
	return f.maxItems
}

// members is the most members of an object, whose declared ones are names.
func (c *compiler) members(f flat) int {
	if most := c.options.Bounds.Items; most > 0 && f.maxProps < 0 {
		return max(most+len(f.names), f.minProps)
	}
	return f.maxProps
}
