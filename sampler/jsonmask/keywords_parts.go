package jsonmask

import (
	"fmt"
	"maps"
	"slices"
)

func readPrefix(r *reader, keyword string, value any) {
	list, ok := value.([]any)
	if !ok {
		r.refuse(keyword, "a list of schemas")
		return
	}
	for i, x := range list {
		r.flat.prefix = append(r.flat.prefix, all{r.schema(keyword, x, fmt.Sprint(i))})
	}
	r.flat.looked = len(list)
}

func readItems(r *reader, keyword string, value any) {
	if _, ok := value.([]any); ok && r.dialect == draft2020 {
		r.err = &UnsupportedError{r.at, keyword, "a list of schemas is prefixItems now, and a list's rest is items; name the draft with $schema"}
		return
	} else if ok {
		readPrefix(r, keyword, value)
		return
	}
	r.flat.items, r.flat.closedItems = all{r.schema(keyword, value)}, true
}

// readRest is the items after those of a list; where there is no list it says nothing.
func readRest(r *reader, keyword string, value any) {
	if _, ok := r.v["items"].([]any); ok && r.dialect < draft2020 {
		r.flat.items, r.flat.closedItems = all{r.schema(keyword, value)}, true
	}
}

func readAdditional(r *reader, keyword string, value any) {
	r.flat.additional, r.flat.closed = all{r.schema(keyword, value)}, true
}

func readProperties(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(keyword, "schemas by name")
		return
	}
	for _, name := range r.doc.inOrder(m) {
		r.flat.names, r.flat.declared = append(r.flat.names, name), append(r.flat.declared, name)
		r.flat.properties[name] = all{r.schema(keyword, m[name], name)}
	}
}

func readNeeds(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(keyword, "lists of names by name")
		return
	}
	for name, others := range m {
		if _, ok := others.([]any); !ok && keyword == "dependencies" {
			continue // a schema: read as dependentSchemas
		}
		r.flat.needs[name] = slices.DeleteFunc(r.names(keyword, others), func(other string) bool { return other == name })
	}
}

// names is a list of strings.
func (r *reader) names(keyword string, value any) []string {
	list, ok := value.([]any)
	var out []string
	for _, x := range list {
		name, isName := x.(string)
		ok = ok && isName
		out = append(out, name)
	}
	if !ok {
		r.refuse(keyword, "a list of names")
	}
	return out
}

// order declares the names that are only required or needed.
func (r *reader) order() {
	f := &r.flat
	if len(f.parts) > 0 { // what additionalProperties leaves out, only the part knows
		f.parts[0].declared, f.parts[0].additional, f.additional = f.declared, f.additional, nil
	}
	declare := func(names []string) {
		for _, name := range names {
			if _, ok := f.properties[name]; !ok {
				f.names, f.properties[name] = append(f.names, name), f.additional
			}
		}
	}
	declare(f.required)
	for _, name := range slices.Sorted(maps.Keys(f.needs)) {
		declare([]string{name})
		declare(f.needs[name])
	}
}

func readContains(r *reader, keyword string, value any) {
	rule := contains{r.schema(keyword, value), 1, -1, false}
	for name, count := range map[string]*int{"minContains": &rule.min, "maxContains": &rule.max} {
		if _, ok := r.v[name]; ok {
			*count, _ = r.count(name)
		}
	}
	r.flat.contains = append(r.flat.contains, rule)
}

func readNaming(r *reader, keyword string, value any) {
	r.flat.naming = all{r.schema(keyword, value)}
}

func readPatterns(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(keyword, "schemas by pattern")
		return
	}
	part := members{at: under(r.at, keyword), evaluates: true}
	for _, expr := range slices.Sorted(maps.Keys(m)) {
		if _, err := newPattern(expr); err != nil {
			r.err = &UnsupportedError{r.at, keyword, err.Error()}
			return
		}
		part.patterns = append(part.patterns, namePattern{expr, all{r.schema(keyword, m[expr], expr)}})
	}
	r.flat.parts = append(r.flat.parts, part)
}

func readUnique(r *reader, keyword string, value any) {
	is, ok := value.(bool)
	if !ok {
		r.refuse(keyword, "true or false")
	}
	r.flat.unique = is
}
