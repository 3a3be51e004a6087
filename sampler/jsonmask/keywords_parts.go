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
}

func readItems(r *reader, keyword string, value any) {
	if _, ok := value.([]any); ok {
		r.err = &UnsupportedError{r.at, keyword, "a list of schemas is prefixItems now"}
		return
	}
	r.flat.items, r.flat.closedItems = all{r.schema(keyword, value)}, true
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
	for _, name := range slices.Sorted(maps.Keys(m)) {
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
		r.flat.needs[name] = r.names(keyword, others)
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
