package draft

import (
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
)

// Bad options are refused, and the message says what was wanted.
func TestOptionsAreChecked(t *testing.T) {
	for want, f := range map[string]Factory{
		"needs a draft model":                         &Model{},
		"eagle needs a head":                          &Eagle{},
		"0 layers of 3":                               &LayerSkip{},
		"3 layers of 3":                               &LayerSkip{Layers: 3},
		"max_n is 2 and min_n 4":                      &Ngram{MinN: 4, MaxN: 2},
		"keeps hidden states, struct { model.Session": &Eagle{Head: HeadRef{Head: modeltest.Head{Of: target}}},
	} {
		e := env(1, nil)
		e.Session = struct{ model.Session }{}
		if _, err := f.New(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	e := env(1, nil)
	e.Target = struct{ model.Model }{target}
	if _, err := (&LayerSkip{Layers: 1}).New(e); err == nil || !strings.Contains(err.Error(), "cannot stop after") {
		t.Errorf("%v", err)
	}
	e = env(1, nil)
	e.Sampler.Penalties.Repetition = 0
	if _, err := made("model", e); err == nil || !strings.Contains(err.Error(), "repetition penalty 0") {
		t.Errorf("%v", err)
	}
	if _, err := ByName("oracle"); err == nil || !strings.Contains(err.Error(), "want one of eagle, layerskip") {
		t.Errorf("%v", err)
	}
}

// Every option of a registered drafter says what it is for, and is of a type that configs
// and flags can set.
func TestOptionsAreExplained(t *testing.T) {
	for _, name := range Names() {
		f, err := ByName(name)
		check(t, err)
		for _, o := range Options(f) {
			switch o.Value(f).Interface().(type) {
			case int, bool, ModelRef, HeadRef:
			default:
				t.Errorf("%s: option %s is of type %v", name, o.Name, o.Type)
			}
			if o.Help == "" || strings.ToLower(o.Name) != o.Name {
				t.Errorf("%s: option %+v", name, o)
			}
		}
	}
}
