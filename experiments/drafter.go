package experiments

import (
	"fmt"
	"strings"

	"foretoken/draft"
)

// A Drafter is one of draft.Names with its options, whose keys stand beside these.
type Drafter struct {
	Name    string        `yaml:"name"`
	Label   string        `yaml:"label,omitempty"` // in tables; "" is made of the name and the options
	K       []int         `yaml:"k,omitempty"`     // instead of the config's
	Options draft.Factory `yaml:"-"`               // of Name, as the config sets them
}

// Clone returns a copy of d's options, so that a model can be attached to each of several
// targets.
func (d Drafter) Clone() (draft.Factory, error) {
	f, err := draft.ByName(d.Name)
	if err == nil && d.Options != nil {
		for _, o := range draft.Options(f) {
			o.Value(f).Set(o.Value(d.Options))
		}
	}
	return f, err
}

// lengths are the K of d.
func (d Drafter) lengths(c Config) []int {
	if len(d.K) > 0 {
		return d.K
	}
	return c.K
}

// label names a drafter in tables: by its own word, or by its name and the options that
// were set. A number follows a dash, with its key where others of the drafter were left out; a
// model or head follows a colon, and a switch is its name.
func (d Drafter) label() string {
	if d.Label != "" || d.Options == nil {
		return d.Label
	}
	name, numbers, named, switches := d.Name, "", "", ""
	whole := true
	for _, o := range draft.Options(d.Options) {
		switch x := o.Value(d.Options).Interface().(type) {
		case int:
			numbers += fmt.Sprintf("-%d", x)
			if whole = whole && x != 0; x != 0 {
				named += fmt.Sprintf("-%s=%d", o.Name, x)
			}
		case bool:
			if x {
				switches += "-" + o.Name
			}
		case draft.ModelRef:
			name += ":" + baseName(x.Name)
		case draft.HeadRef:
			name += ":" + baseName(x.Name)
		}
	}
	if !whole {
		numbers = named
	}
	return name + numbers + switches
}

// blind reports a drafter that is told to ignore constraints.
func (d Drafter) blind() bool {
	for _, o := range draft.Options(d.Options) {
		if on, ok := o.Value(d.Options).Interface().(bool); ok && on && o.Name == "blind" {
			return true
		}
	}
	return false
}

// draftNames leaves out the control.
func draftNames() []string {
	var names []string
	for _, name := range draft.Names() {
		if name != "none" {
			names = append(names, name)
		}
	}
	return names
}

func (d *decoder) checkDrafters(c *Config) error {
	labels := map[string]int{}
	for i, one := range c.Drafters {
		path := fmt.Sprintf("drafters[%d]", i)
		switch {
		case one.Name == "":
			return d.fail(path, "has no name, want one of "+strings.Join(draftNames(), ", "))
		case one.Name == "none":
			return d.fail(path+".name", "none is the control, which is always run; leave it out")
		case strings.ContainsAny(one.Label, "/\n\t"):
			return d.fail(path+".label", fmt.Sprintf("%q, want a label without / and control characters", one.Label))
		}
		if err := draft.Check(one.Options); err != nil {
			return d.optionError(path, err)
		}
		if j, ok := labels[one.label()]; ok {
			return d.fail(path, fmt.Sprintf("is labelled %q as drafters[%d] is; leave one out, or give it a label", one.label(), j))
		}
		labels[one.label()] = i
	}
	return nil
}

// optionError places what draft.Check found: at the option where it was written.
func (d *decoder) optionError(path string, err error) error {
	wrong, ok := err.(*draft.OptionError)
	if !ok {
		return d.fail(path, err.Error())
	}
	if here := join(path, wrong.Option); d.has(here) {
		return d.fail(here, wrong.Reason)
	}
	return d.fail(path, wrong.Error())
}
