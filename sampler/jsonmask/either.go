package jsonmask

import "fmt"

// maxTogether is how many schemas of an anyOf are held together too.
const maxTogether = 4

// either returns the alternatives of an anyOf or, with one set, of a oneOf. A value
// that two schemas of a oneOf allow is left out, and where it is not known which those
// are, more than those.
func (d *document) either(list []source, within []string, one bool) ([]flat, error) {
	var each [][]flat
	for _, s := range list {
		alternatives, err := d.alternatives(s, within)
		if err != nil {
			return nil, err
		}
		each = append(each, alternatives)
	}
	var out []flat
	for i, more := range each {
		if one {
			var err error
			if more, err = d.alone(more, list, each, i, within); err != nil {
				return nil, err
			}
		} else if d.looks && len(list) <= maxTogether { // of several that hold, all have looked
			both, err := d.product(list[i].at, out, more)
			if err != nil {
				return nil, err
			}
			more = append(more, both...)
		}
		out = append(out, more...)
	}
	return out, nil
}

// alone leaves out of more, which schema i of list allows, what another one allows.
func (d *document) alone(more []flat, list []source, each [][]flat, i int, within []string) ([]flat, error) {
	for j, other := range list {
		if j == i {
			continue
		}
		var kept, shared []flat
		for _, f := range more {
			if d.apart(f, each[j]) {
				kept = append(kept, f)
			} else {
				shared = append(shared, f)
			}
		}
		if more = kept; len(shared) == 0 {
			continue
		}
		not, err := d.refused(other, within)
		if _, unknown := err.(*UnsupportedError); err != nil && !unknown {
			return nil, err
		}
		more = append(more, d.some(other.at, shared, not)...)
	}
	return more, nil
}

// some is product as far as there is room: what is left out is noted.
func (d *document) some(at string, a, b []flat) (out []flat) {
	for _, x := range a {
		for _, y := range b {
			m := merge(x, y)
			if d.dead(m, deadDepth) {
				continue
			}
			if len(out) == atMost {
				d.narrows(&UnsupportedError{at, "oneOf", fmt.Sprintf("more than %d combinations", atMost)})
				return out
			}
			out = append(out, m)
		}
	}
	return out
}
