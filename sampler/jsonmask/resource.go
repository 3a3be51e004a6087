package jsonmask

import (
	"net/url"
	"slices"
	"strings"
)

// A resource is a schema with a name of its own: what references at and below at are
// relative to, in the words of its draft.
type resource struct {
	at      string
	uri     *url.URL
	dialect dialect
	// dynamic are the schemas that a $dynamicAnchor names, by name; the resource itself,
	// if it has a $recursiveAnchor, is "".
	dynamic map[string]source
}

// within is the resource that a pointer, or the complement of what it points to, is in.
func (d *document) within(pointer string) *resource {
	var found *resource
	for _, r := range d.resources {
		rest, ok := strings.CutPrefix(pointer, r.at)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == 0) && (found == nil || len(r.at) >= len(found.at)) {
			found = r
		}
	}
	return found
}

// dialect is the draft that the schema at at is written in.
func (d *document) dialect(at string) dialect {
	_, pointer := split(at)
	return d.within(pointer).dialect
}

// speaks reports whether a part of the document is of a draft.
func (d *document) speaks(x dialect) bool {
	return slices.ContainsFunc(d.resources, func(r *resource) bool { return r.dialect == x })
}

// above reports whether ref leads out of the folder of a resource that has no full URI:
// package url would read it as one in that folder.
func (r *resource) above(ref string) bool {
	to, err := url.Parse(ref)
	return err == nil && !r.uri.IsAbs() && !to.IsAbs() && slices.Contains(strings.Split(to.Path, "/"), "..")
}
