package jsonmask

import (
	"fmt"
	"slices"
)

// An outsider is a member that there must be, under a name that is none of those declared
// and that no pattern matches: what additionalProperties: false refuses.
type outsider struct {
	at       string
	declared []string
	patterns []string
}

// maxOutsiders is how many of them one object may have to have: places have a bit for each.
const maxOutsiders = 4

// outsiderBit is that of the first.
const outsiderBit = 256 - maxOutsiders

// is reports whether a name is one, where matches tells which patterns match it.
func (x outsider) is(declared bool, matches func(expr string) bool) bool {
	return !declared && !slices.ContainsFunc(x.patterns, matches)
}

// breakingAdditional is the objects with a member that additionalProperties, which is
// false, refuses.
func (d *document) breakingAdditional(at string, v map[string]any) ([]flat, error) {
	if v["additionalProperties"] == true {
		return nil, nil
	}
	if m, ok := v["additionalProperties"].(map[string]any); ok && len(m) == 0 {
		return nil, nil
	}
	if v["additionalProperties"] != false {
		return nil, &UnsupportedError{at, "not", "additionalProperties has no complement here but where it is false"}
	}
	g, err := d.own(at, v)
	if err != nil {
		return nil, err
	}
	f, x := anything(), outsider{at: at, declared: g.declared}
	for _, m := range g.parts {
		for _, p := range m.patterns {
			x.patterns = append(x.patterns, p.expr)
		}
	}
	f.types, f.outsiders = typeObject, []outsider{x}
	return []flat{f}, nil
}

// outside declares the names that outsiders are not, so that every other name is one, but
// for patterns.
func (c *compiler) outside(f *flat, at string) error {
	if len(f.outsiders) > maxOutsiders {
		return &UnsupportedError{at, "not", fmt.Sprintf("more than %d times a member that is not declared", maxOutsiders)}
	}
	for _, x := range f.outsiders {
		f.names = join(f.names, x.declared)
	}
	return nil
}

// meets returns a bit for every outsider that a name is.
func (f flat) meets(declared func(x outsider) bool, matches func(expr string) bool) (bits uint64) {
	for k, x := range f.outsiders {
		if x.is(declared(x), matches) {
			bits |= 1 << k
		}
	}
	return bits
}

// mayMeet reports whether some member can be each outsider.
func (o *object) mayMeet() bool {
	var bits uint64
	for i, v := range o.values {
		if v.live {
			bits |= o.meets[i]
		}
	}
	for i, u := range o.others {
		if u.value.live {
			bits |= o.meets[len(o.values)+i]
		}
	}
	return bits == 1<<o.outsiders-1
}

// unmet is how many outsiders there have to be still.
func (o *object) unmet(at place) (n int) {
	for k := range o.outsiders {
		if !at.has(outsiderBit + k) {
			n++
		}
	}
	return n
}

// meetsMore reports whether member i is an outsider that there has to be still.
func (o *object) meetsMore(at place, i int) bool {
	after := at
	o.meet(&after, i)
	return after != at
}

// meet notes what member i, of those declared and the others, is.
func (o *object) meet(at *place, i int) {
	for k := range o.outsiders {
		if o.meets[i]>>k&1 == 1 {
			at.see(outsiderBit + k)
		}
	}
}
