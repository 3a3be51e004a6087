package experiments

import (
	"fmt"
	"slices"
	"strings"

	"foretoken/draft"
)

// options are the keys each drafter reads. One that is not here reads any.
var options = map[string][]string{
	"ngram":     {"min_n", "max_n"},
	"model":     {"model", "blind"},
	"eagle":     {"head", "blind"},
	"layerskip": {"layers", "blind"},
}

// draftNames leaves out the control.
func draftNames() []string {
	return slices.DeleteFunc(draft.Names(), func(n string) bool { return n == "none" })
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
		case !slices.Contains(draftNames(), one.Name):
			return d.fail(path+".name", unknownName(one.Name, draftNames()))
		}
		if err := d.checkOptions(one, path); err != nil {
			return err
		}
		if j, ok := labels[one.label()]; ok {
			return d.fail(path, fmt.Sprintf("is labelled %q as drafters[%d] is; leave one out, or give it a label", one.label(), j))
		}
		labels[one.label()] = i
	}
	return nil
}

func (d *decoder) checkOptions(one Drafter, path string) error {
	reads, known := options[one.Name]
	for _, o := range []struct {
		key string
		set bool
	}{{"model", one.Model != ""}, {"head", one.Head != ""}, {"layers", one.Layers != 0}, {"min_n", one.MinN != 0}, {"max_n", one.MaxN != 0}, {"blind", one.Blind}} {
		if known && o.set && !slices.Contains(reads, o.key) {
			return d.fail(path+"."+o.key, fmt.Sprintf("is no option of %s, which reads %s", one.Name, strings.Join(reads, ", ")))
		}
	}
	switch {
	case one.Name == "model" && one.Model == "":
		return d.fail(path, "model is missing, want a folder, a GGUF file, or a name")
	case one.Name == "eagle" && one.Head == "":
		return d.fail(path, "head is missing, want the folder of a head, or its name")
	case one.Name == "layerskip" && one.Layers < 1:
		return d.fail(orPath(d, path+".layers", path), fmt.Sprintf("layers %d, want at least 1 and fewer than the target has", one.Layers))
	case one.MinN < 0:
		return d.fail(path+".min_n", fmt.Sprintf("%d, want at least 1", one.MinN))
	case one.MaxN < 0:
		return d.fail(path+".max_n", fmt.Sprintf("%d, want at least 1", one.MaxN))
	case one.MinN > 0 && one.MaxN > 0 && one.MaxN < one.MinN:
		return d.fail(path+".max_n", fmt.Sprintf("%d, want at least min_n, %d", one.MaxN, one.MinN))
	case strings.ContainsAny(one.Label, "/\n\t"):
		return d.fail(path+".label", fmt.Sprintf("%q, want a label without / and control characters", one.Label))
	}
	return nil
}

// orPath is path where it was written, else other.
func orPath(d *decoder, path, other string) string {
	if d.has(path) {
		return path
	}
	return other
}
