package experiments

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// A config is written from one tree of its values, as JSON for a header and as YAML for
// people. Values are: group, []any, a scalar's text, or string.
type (
	group []entry
	entry struct {
		key   string
		value any
	}
	bareText string // a number, true or false
)

// treeOf is the tree of a value. A zero that stands for what was not said is left out.
func treeOf(v reflect.Value) any {
	if name, ok := reference(v); ok {
		return name.String()
	}
	switch v.Kind() {
	case reflect.Struct:
		out := group{}
		for _, s := range slotsOf(v) {
			if !s.omit || !empty(s.value) {
				out = append(out, entry{s.key, treeOf(s.value)})
			}
		}
		return out
	case reflect.Slice:
		out := []any{}
		for i := range v.Len() {
			out = append(out, treeOf(v.Index(i)))
		}
		return out
	case reflect.Map:
		return mapTree(v)
	case reflect.String:
		return v.String()
	case reflect.Float32, reflect.Float64:
		return bareText(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	}
	return bareText(fmt.Sprint(v.Interface()))
}

func empty(v reflect.Value) bool {
	if name, ok := reference(v); ok {
		return name.IsZero()
	}
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// mapTree orders a map of ids.
func mapTree(v reflect.Value) group {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) })
	out := group{}
	for _, key := range keys {
		out = append(out, entry{fmt.Sprint(key.Interface()), treeOf(v.MapIndex(key))})
	}
	return out
}
