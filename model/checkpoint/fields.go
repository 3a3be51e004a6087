package checkpoint

import (
	"encoding/json"
	"reflect"
	"strings"

	"foretoken/strict"
)

// fields is a JSON object of a config file. The first failure stays.
type fields struct {
	file string
	kv   map[string]json.RawMessage
	err  error
}

func parseFields(file string, b []byte) (*fields, error) {
	f := &fields{file: file}
	if err := json.Unmarshal(b, &f.kv); err != nil {
		return nil, malformed(file, "", "a JSON object", "%s", strict.Got(err))
	}
	if err := strict.Known(b, &f.kv); err != nil { // a key that is there twice, above all
		got, want, _ := strings.Cut(err.Error(), ", want ")
		return nil, malformed(file, "", want, "%s", got)
	}
	return f, nil
}

// get is the value of key; ok is false when it is absent or null.
func get[T any](f *fields, key string) (v T, ok bool) {
	raw, there := f.kv[key]
	if !there || string(raw) == "null" {
		return v, false
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		if f.err == nil {
			f.err = malformed(f.file, key, strict.Wanted(reflect.TypeFor[T]()), "%.40s", raw)
		}
		var zero T
		return zero, false
	}
	return v, true
}

func or[T any](f *fields, key string, otherwise T) T {
	if v, ok := get[T](f, key); ok {
		return v
	}
	return otherwise
}

// need is a number of something that every model has.
func need(f *fields, key string) int {
	v, ok := get[int](f, key)
	if !ok && f.err == nil {
		f.err = missing(f.file, key, "a whole number")
	}
	if ok && v < 1 && f.err == nil {
		f.err = malformed(f.file, key, "at least 1", "%d", v)
	}
	return v
}
