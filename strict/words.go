package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Explain says in plain words what encoding/json refused; other errors, and nil, it
// leaves.
func Explain(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("%s, want %s", Got(err), Wanted(kind.Type))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("ends before the JSON does")
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "after top-level value"):
		return fmt.Errorf("more than one value, from byte %d on, want one", syntax.Offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("is no JSON: %v, byte %d", syntax, syntax.Offset)
	}
	return err
}

// Got is the part of Explain that says what was given, for those who say themselves
// what they wanted.
func Got(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return Explain(err).Error()
	case kind.Field != "":
		return kind.Field + ": " + given(kind.Value)
	}
	return given(kind.Value)
}

// given is a value in encoding/json's words: "string", "number 1.5", ...
func given(value string) string {
	kind, what, _ := strings.Cut(value, " ")
	switch kind {
	case "string":
		return "text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "a group of keys"
	case "number":
		if what != "" {
			return what
		}
		return "a number"
	}
	return value
}

// Wanted says what a value of a type is.
func Wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "a value"
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return "keys, each with " + Wanted(t.Elem())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return Wanted(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of at least 0"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Slice, reflect.Array:
		return "a list, each " + Wanted(t.Elem())
	case reflect.Map:
		return "keys that are " + Wanted(t.Key()) + ", each with " + Wanted(t.Elem())
	case reflect.Struct:
		return "a group of keys"
	}
	return "a value"
}
