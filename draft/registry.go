package draft

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// registry holds the drafters that configs and flags know, by name: a new one is one file
// and one line here. Each call returns a pointer to a struct with the default options.
var registry = map[string]func() Factory{
	"eagle":     func() Factory { return &Eagle{} },
	"layerskip": func() Factory { return &LayerSkip{} },
	"model":     func() Factory { return &Model{} },
	"ngram":     func() Factory { return &Ngram{} },
	"none":      func() Factory { return None{} },
}

// Register adds a drafter under a name, for programs that bring one of their own. make
// returns a pointer to a struct with the default options. A name that is taken panics.
func Register(name string, make func() Factory) {
	if _, taken := registry[name]; taken {
		panic("draft: the drafter " + name + " is registered already")
	}
	registry[name] = make
}

// Names lists the drafters.
func Names() []string { return slices.Sorted(maps.Keys(registry)) }

// ByName returns the named drafter with its default options.
func ByName(name string) (Factory, error) {
	make, ok := registry[name]
	if !ok {
		return nil, fmt.Errorf("draft: no drafter %q, want one of %s", name, strings.Join(Names(), ", "))
	}
	return make(), nil
}
