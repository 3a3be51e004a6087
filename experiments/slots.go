package experiments

import (
	"reflect"
	"slices"
	"strings"

	"foretoken/draft"
)

// A slot is a key of a config and the value that it sets.
type slot struct {
	key   string
	value reflect.Value
	omit  bool // a zero stands for what was not said: it is not written, and refused where it stands
}

// slotsOf lists the keys of a struct in order. A drafter has those of its options too.
func slotsOf(v reflect.Value) []slot {
	var out []slot
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if key, omit := keyOf(field); key != "-" {
			out = append(out, slot{key, v.Field(i), omit})
		}
	}
	if d, ok := v.Interface().(Drafter); ok && d.Options != nil {
		for _, o := range draft.Options(d.Options) {
			out = append(out, slot{o.Name, o.Value(d.Options), true})
		}
	}
	return out
}

// keyOf is the name of a field in a config, and whether its zero is left out.
func keyOf(f reflect.StructField) (key string, omit bool) {
	key, more, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return key, more == "omitempty"
}

// keysOf lists the keys of a type. A drafter's are those of every drafter.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		if key, _ := keyOf(t.Field(i)); key != "-" {
			keys = append(keys, key)
		}
	}
	if t == reflect.TypeFor[Drafter]() {
		for _, name := range draft.Names() {
			for _, key := range optionKeys(name) {
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// optionKeys lists the options of a drafter.
func optionKeys(drafter string) []string {
	f, err := draft.ByName(drafter)
	if err != nil {
		return nil
	}
	var keys []string
	for _, o := range draft.Options(f) {
		keys = append(keys, o.Name)
	}
	return keys
}

// reference reports a value that is written as a name, and where that name is kept.
func reference(v reflect.Value) (name reflect.Value, ok bool) {
	switch v.Interface().(type) {
	case draft.ModelRef, draft.HeadRef:
		return v.FieldByName("Name"), true
	}
	return reflect.Value{}, false
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
