package draft

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"foretoken/model"
)

// A ModelRef is an option that names a model, and holds it once it is open.
type ModelRef struct {
	Name  string // a folder, a GGUF file, or a name
	Model model.Model
}

// A HeadRef is an option that names a head, and holds it once it is open.
type HeadRef struct {
	Name string // a folder, or a name
	Head model.Head
}

// An Option is a field of a Factory that people set. The tag of the field is all there is
// to say of it: config keys, flags, labels and checks follow.
//
//	MaxN int `option:"max_n" min:"1" help:"longest match, tried first"`
//
// A field is an int, a bool, a ModelRef or a HeadRef. The zero value is the default of the
// drafter; where the tag has required, there is none.
type Option struct {
	Name     string // the key in a config
	Flag     string // the flag's name: Name with - for _, or the tag flag
	Help     string
	Min      int  // the least value of an int that is given
	Required bool // has no default
	Field    int  // index of the struct's field
	Type     reflect.Type
}

// Options lists the options of f in the order of its fields.
func Options(f Factory) []Option {
	t := reflect.Indirect(reflect.ValueOf(f)).Type()
	var out []Option
	for i := range t.NumField() {
		field := t.Field(i)
		name, ok := field.Tag.Lookup("option")
		if !ok {
			continue
		}
		least, err := strconv.Atoi(cmp.Or(field.Tag.Get("min"), "0"))
		if err != nil {
			panic(fmt.Sprintf("draft: option %s of %v has min %q, want a whole number", name, t, field.Tag.Get("min")))
		}
		_, required := field.Tag.Lookup("required")
		flag := cmp.Or(field.Tag.Get("flag"), strings.ReplaceAll(name, "_", "-"))
		out = append(out, Option{Name: name, Flag: flag, Help: field.Tag.Get("help"), Min: least, Required: required, Field: i, Type: field.Type})
	}
	return out
}

// Value is the option's field of f, which Options(f) has to come from. It can be set where
// f is a pointer.
func (o Option) Value(f Factory) reflect.Value {
	return reflect.Indirect(reflect.ValueOf(f)).Field(o.Field)
}

// An OptionError says which option of a drafter is wrong, and how.
type OptionError struct{ Option, Reason string }

// Error implements error.
func (e *OptionError) Error() string { return e.Option + " " + e.Reason }

// A Checker is a Factory whose options restrict each other.
type Checker interface {
	// Check returns an *OptionError where they contradict.
	Check() error
}

// Check reports the first option of f that is out of its range, as an *OptionError.
func Check(f Factory) error {
	for _, o := range Options(f) {
		v := o.Value(f)
		switch {
		case o.Required && missing(v):
			return &OptionError{o.Name, "is missing, want " + o.Help}
		case v.CanInt() && !v.IsZero() && v.Int() < int64(o.Min):
			return &OptionError{o.Name, fmt.Sprintf("is %d, want at least %d", v.Int(), o.Min)}
		}
	}
	if c, ok := f.(Checker); ok {
		return c.Check()
	}
	return nil
}

// missing reports a value that was not given: neither a name nor what it would name.
func missing(v reflect.Value) bool {
	switch ref := v.Interface().(type) {
	case ModelRef:
		return ref.Name == "" && ref.Model == nil
	case HeadRef:
		return ref.Name == "" && ref.Head == nil
	}
	return v.IsZero()
}
