package main

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"foretoken/draft"
)

// drafterFlags are --drafter and the options that the drafters declare.
type drafterFlags struct {
	name string
	of   map[string][]string // by flag, the drafters that read it
}

func (d *drafterFlags) add(f *pflag.FlagSet) {
	f.StringVar(&d.name, "drafter", "none", "guesses ahead: "+drafterNames())
	d.of = map[string][]string{}
	for _, name := range draft.Names() {
		for _, o := range optionsOf(name) {
			d.of[o.Flag] = append(d.of[o.Flag], name)
		}
	}
	for _, name := range draft.Names() {
		for _, o := range optionsOf(name) {
			if f.Lookup(o.Flag) == nil {
				addOption(f, o, " (drafter "+strings.Join(d.of[o.Flag], ", ")+")")
			}
		}
	}
}

func addOption(f *pflag.FlagSet, o draft.Option, of string) {
	switch o.Type.Kind() {
	case reflect.Int:
		f.Int(o.Flag, 0, o.Help+of)
	case reflect.Bool:
		f.Bool(o.Flag, false, o.Help+of)
	default:
		f.String(o.Flag, "", o.Help+of)
	}
}

func optionsOf(drafter string) []draft.Option {
	f, err := draft.ByName(drafter)
	if err != nil {
		panic("foretoken: " + err.Error()) // the name is the registry's own
	}
	return draft.Options(f)
}

// factory is the drafter with the options that were given. It refuses those of others.
func (d *drafterFlags) factory(f *pflag.FlagSet) (draft.Factory, error) {
	out, err := draft.ByName(d.name)
	if err != nil {
		return nil, wrong("no drafter %q, want one of %s", d.name, drafterNames())
	}
	options := draft.Options(out)
	for name, drafters := range d.of {
		if f.Changed(name) && !slices.Contains(drafters, d.name) {
			return nil, wrong("--%s is of --drafter %s, and of no use with %s", name, strings.Join(drafters, ", "), d.name)
		}
	}
	for _, o := range options {
		if flag := f.Lookup(o.Flag); flag.Changed {
			if err := setOption(o, out, flag.Value.String()); err != nil {
				return nil, err
			}
		}
	}
	var bad *draft.OptionError
	if err := draft.Check(out); errors.As(err, &bad) {
		return nil, wrong("--drafter %s: --%s %s", d.name, flagOf(options, bad.Option), bad.Reason)
	}
	return out, nil
}

// setOption sets an option to a flag's text, which pflag has parsed. A zero that was typed
// is refused: it would stand for the default.
func setOption(o draft.Option, f draft.Factory, text string) error {
	v := o.Value(f)
	switch x := v.Addr().Interface().(type) {
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || n < max(o.Min, 1) {
			return wrong("--%s %s, want at least %d", o.Flag, text, max(o.Min, 1))
		}
		*x = n
	case *bool:
		*x = text == "true"
	case *draft.ModelRef:
		x.Name = text
	case *draft.HeadRef:
		x.Name = text
	}
	return nil
}

func flagOf(options []draft.Option, name string) string {
	for _, o := range options {
		if o.Name == name {
			return o.Flag
		}
	}
	return name
}
