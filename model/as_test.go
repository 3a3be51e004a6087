package model_test

import (
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
)

type wrapped struct{ model.Session }

func (w wrapped) Unwrap() any { return w.Session }

type opaque struct{ model.Session }

// A capability is found below wrappers that let it through, the outermost first, and not
// below one that does not.
func TestAs(t *testing.T) {
	s, err := modeltest.Hash{Vocab: 4, Real: 4}.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	tree, ok := model.As[model.TreeForwarder](wrapped{wrapped{s}})
	if !ok || tree != s.(model.TreeForwarder) {
		t.Errorf("found %v in two wrappers, want the session", ok)
	}
	if outer, ok := model.As[model.Session](wrapped{s}); !ok || outer != (wrapped{s}) {
		t.Error("the wrapper has the capability itself and is passed over")
	}
	for _, none := range []any{opaque{s}, wrapped{opaque{s}}, wrapped{}, nil, 3} {
		if _, ok := model.As[model.TreeForwarder](none); ok {
			t.Errorf("found in %T", none)
		}
	}
}
