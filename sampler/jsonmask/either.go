package jsonmask

// maxTogether is how many schemas of an anyOf are held together too.
const maxTogether = 4

// either returns the alternatives of an anyOf or, with one set, of a oneOf. A value
// that two schemas of a oneOf allow is left out as far as their complements are
// known; else oneOf is read as anyOf.
func (d *document) either(list []source, within []string, one bool) ([]flat, error) {
	var out []flat
	for i, s := range list {
		more, err := d.alternatives(s, within)
		if err != nil {
			return nil, err
		}
		if one {
			more = d.alone(more, list, i, within)
		} else if d.looks && len(list) <= maxTogether { // of several that hold, all have looked
			both, err := product(s.at, out, more)
			if err != nil {
				return nil, err
			}
			more = append(more, both...)
		}
		out = append(out, more...)
	}
	return out, nil
}

// alone leaves out of more what a schema of list other than i allows, as far as
// that can be said.
func (d *document) alone(more []flat, list []source, i int, within []string) []flat {
	for j, other := range list {
		if j == i {
			continue
		}
		not, err := d.refused(other, within)
		if err != nil {
			continue
		}
		if less, err := product(other.at, more, not); err == nil {
			more = less
		}
	}
	return more
}
