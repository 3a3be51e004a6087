// Package strict reads JSON without bending it, and says in plain words what was
// given and what was wanted. It is where the words of Go's own decoders end.
package strict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// JSON reads one value into to, a pointer. A second value, a key that is there
// twice, half of a surrogate pair, what is no UTF-8, and a key of a struct that it does
// not have are errors, where encoding/json takes the last, puts U+FFFD, or looks away; so is a key
// in another case.
func JSON(data []byte, to any) error { return read(data, to, false) }

// Known is JSON for files that a later version may have added to: keys that a
// struct does not have are passed over.
func Known(data []byte, to any) error { return read(data, to, true) }

func read(data []byte, to any, more bool) error {
	if err := encoded(data); err != nil {
		return err
	}
	var whole json.RawMessage // the standard library looks at the grammar, and the depth
	if err := json.Unmarshal(data, &whole); err != nil {
		return Explain(err)
	}
	if err := paired(data); err != nil {
		return err
	}
	w := walker{json.NewDecoder(bytes.NewReader(data)), more}
	w.UseNumber() // one that is too large is the last line's to refuse
	if f := w.value(reflect.TypeOf(to).Elem()); f != nil {
		slices.Reverse(f.path)
		return fmt.Errorf("%s: %s", strings.TrimPrefix(strings.Join(f.path, ""), "."), f.reason)
	}
	return Explain(json.Unmarshal(data, to))
}

// A walker goes over a value beside the type that it is for, and looks at its keys.
type walker struct {
	*json.Decoder
	more bool // keys that a struct does not have are passed over
}

// A fault is a key that should not be there, and the way to it, the last step first.
type fault struct {
	path   []string
	reason string
}

func (f *fault) below(step string) *fault {
	f.path = append(f.path, step)
	return f
}

// next is a token of what is known to be JSON.
func (w walker) next() json.Token {
	t, err := w.Token()
	if err != nil {
		panic("strict: " + err.Error())
	}
	return t
}

func (w walker) value(t reflect.Type) *fault {
	switch w.next() {
	case json.Delim('{'):
		return w.object(plain(t))
	case json.Delim('['):
		var of reflect.Type
		if t = plain(t); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			of = t.Elem()
		}
		for i := 0; w.More(); i++ {
			if f := w.value(of); f != nil {
				return f.below(fmt.Sprintf("[%d]", i))
			}
		}
		w.next()
	}
	return nil
}

func (w walker) object(t reflect.Type) *fault {
	seen := map[string]bool{}
	for w.More() {
		key := w.next().(string)
		if seen[key] {
			return &fault{[]string{"." + key}, "is there already, want each key once"}
		}
		seen[key] = true
		of, unknown := w.field(t, key)
		if unknown != "" {
			return &fault{[]string{"." + key}, unknown}
		}
		if f := w.value(of); f != nil {
			return f.below("." + key)
		}
	}
	w.next()
	return nil
}

// field is the type of what stands under a key, nil where nothing is known of it, or
// why the key should not be there.
func (w walker) field(t reflect.Type, key string) (of reflect.Type, unknown string) {
	switch {
	case t == nil:
		return nil, ""
	case t.Kind() == reflect.Map:
		return t.Elem(), ""
	case t.Kind() != reflect.Struct:
		return nil, "" // the decoder will say so
	}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch {
		case !f.IsExported() || name == "-":
			continue
		case name == key:
			return f.Type, ""
		case strings.EqualFold(name, key):
			return nil, fmt.Sprintf("unknown key, did you mean %q?", name)
		}
		names = append(names, name)
	}
	if w.more {
		return nil, ""
	}
	return nil, "unknown key, want some of " + strings.Join(names, ", ")
}

// plain is a type without its pointers, and nil for one that reads itself.
func plain(t reflect.Type) reflect.Type {
	for t != nil {
		p := reflect.PointerTo(t)
		if p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) || t.Kind() == reflect.Interface {
			return nil
		}
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}
