package jsonmask

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What a $dynamicRef names depends on the resources that evaluation came through: where
// several have the anchor, on the first of them. So where a schema stands is its pointer and,
// in documents that tell such ways apart, before it the number of its scope: which schema
// each dynamic anchor names.

// scopeMark stands before and after the number of a scope.
const scopeMark = "\x02"

// split returns the scope of at, 0 where there is none, and the pointer.
func split(at string) (scope int, pointer string) {
	if rest, ok := strings.CutPrefix(at, scopeMark); ok {
		number, pointer, _ := strings.Cut(rest, scopeMark)
		scope, _ = strconv.Atoi(number)
		return scope, pointer
	}
	return 0, at
}

// in is a pointer in a scope.
func in(scope int, pointer string) string {
	if scope == 0 {
		return pointer
	}
	return scopeMark + strconv.Itoa(scope) + scopeMark + pointer
}

// enter returns at in the scope that evaluation of the schema there has.
func (d *document) enter(at string) string {
	if !d.scoped {
		return at
	}
	n, pointer := split(at)
	scope, more := d.scopes[n], false
	for name, s := range d.within(pointer).dynamic {
		if _, ok := scope[name]; !ok {
			if !more {
				scope, more = maps.Clone(scope), true
			}
			scope[name] = s
		}
	}
	if !more {
		return at
	}
	return in(d.scope(scope), pointer)
}

// scope is the number of a scope.
func (d *document) scope(s map[string]source) int {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&key, "%q %q ", name, s[name].at)
	}
	n, ok := d.scopeOf[key.String()]
	if !ok {
		n = len(d.scopes)
		d.scopes, d.scopeOf[key.String()] = append(d.scopes, s), n
	}
	return n
}

// tellScopes says whether an anchor has several meanings, so that scopes matter.
func (d *document) tellScopes() {
	times := map[string]int{}
	for _, r := range d.resources {
		for name := range r.dynamic {
			if times[name]++; times[name] > 1 {
				d.scoped = true
			}
		}
	}
	d.scopes, d.scopeOf = []map[string]source{{}}, map[string]int{"": 0}
}

// dynamic returns what a $dynamicRef or $recursiveRef at at means that names to as a $ref
// would: if a dynamic anchor is what it names, the first that evaluation met.
func (d *document) dynamically(at, keyword, ref string, to source) source {
	_, name, _ := strings.Cut(ref, "#")
	v, ok := to.value.(map[string]any)
	if keyword == "$recursiveRef" {
		name, ok = "", ok && v["$recursiveAnchor"] == true
	} else {
		ok = ok && name != "" && v["$dynamicAnchor"] == name
	}
	n, _ := split(at)
	if first, met := d.scopes[n][name]; ok && met {
		return source{in(n, first.at), first.value}
	}
	return to
}
