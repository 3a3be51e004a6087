package jsonmask

import (
	"slices"
	"strconv"
	"strings"
)

// deadDepth is how deep required members are looked into for what allows nothing.
const deadDepth = 2

// dead reports whether f is known to allow no value: of every type that it has, none.
func (d *document) dead(f flat, depth int) bool {
	if f.limited {
		return !slices.ContainsFunc(f.enum, func(x any) bool { return typesOf(x)&f.types != 0 })
	}
	return f.types&(typeNull|typeBoolean) == 0 &&
		(f.types&typeNumber == 0 || !f.span.holds(f.step)) &&
		(f.types&typeString == 0 || f.maxLen >= 0 && f.minLen > f.maxLen) &&
		(f.types&typeArray == 0 || f.maxItems >= 0 && f.minItems > f.maxItems) &&
		(f.types&typeObject == 0 || d.noObject(f, depth))
}

// noObject reports whether f is known to allow no object: a member that there must be
// cannot be.
func (d *document) noObject(f flat, depth int) bool {
	if f.maxProps >= 0 && max(f.minProps, len(f.required)) > f.maxProps {
		return true
	}
	return depth > 0 && slices.ContainsFunc(f.required, func(name string) bool { return d.nothing(f.named(name), depth-1) })
}

// nothing reports whether schemas together are known to allow no value.
func (d *document) nothing(together all, depth int) bool {
	if len(together) == 0 {
		return false
	}
	key := make([]string, 0, len(together)+1)
	for _, s := range together {
		key = append(key, s.at)
	}
	slices.Sort(key)
	name := strings.Join(append(key, strconv.Itoa(depth)), "\x00")
	if is, ok := d.deads[name]; ok {
		return is
	}
	if d.deads == nil {
		d.deads = map[string]bool{}
	}
	d.deads[name] = false // while it is looked at
	alternatives, err := d.flatten(together)
	is := err == nil && !slices.ContainsFunc(alternatives, func(f flat) bool { return !d.dead(f, depth) })
	d.deads[name] = is
	return is
}

// apart reports whether no value is known to be of f and of some of others.
func (d *document) apart(f flat, others []flat) bool {
	return !slices.ContainsFunc(others, func(other flat) bool { return !d.dead(merge(f, other), deadDepth) })
}
