package jinja

import (
	"strings"
	"time"
)

// Jinja2 works out constant expressions when it compiles, and there takes a slice of
// what has none for an item that is not there: undefined, where a slice that is taken
// later is an error. So it is only where all of what is written is constant, or where
// the slice is part of a constant that Jinja2 can write down.

// foldSlices marks the slices of e that are taken when Jinja2 compiles; output says
// that e is what is written.
func foldSlices(e expr, output bool) {
	if !hasSlice(e) {
		return
	}
	if v, ok := worked(e); ok && (output || writable(v)) {
		everyExpr(e, func(in expr) {
			if item, ok := in.(*getItem); ok {
				item.folded = true
			}
		})
		return
	}
	for _, c := range e.children() {
		foldSlices(c, false)
	}
}

func everyExpr(e expr, do func(expr)) {
	do(e)
	for _, c := range e.children() {
		everyExpr(c, do)
	}
}

// notConstant ends the working out of a constant.
func (r *run) notConstant() {
	if r.folding {
		fail("no constant")
	}
}

func hasSlice(e expr) bool {
	found := false
	everyExpr(e, func(in expr) {
		_, slice := in.(*sliceExpr)
		found = found || slice
	})
	return found
}

// worked is the value of a constant: of what reads no name, calls nothing and uses no
// filter that looks others up, as far as it is looked at.
func worked(e expr) (v Value, ok bool) {
	var err error
	defer func() { ok = err == nil }()
	defer caught(&err)
	r := &run{out: &strings.Builder{}, folding: true, now: time.Time{}}
	r.steps = mostSteps - mostFolded
	return e.eval(r, nil), true
}

// writable reports whether Jinja2 can write a value down as a constant.
func writable(v Value) bool {
	switch v := v.(type) {
	case nil, bool, int, float64, string, markup, numbers:
		return true
	case *List:
		return allWritable(v.Items)
	case Tuple:
		return allWritable(v)
	case *Dict:
		return allWritable(v.keys) && allWritable(v.values)
	}
	return false
}

func allWritable(list []Value) bool {
	for _, v := range list {
		if !writable(v) {
			return false
		}
	}
	return true
}

// canSlice reports whether Python's of[start:stop:step] raises no TypeError.
func canSlice(of Value, bounds [3]Value) bool {
	if _, ok := of.(*undefined); ok {
		return true // it raises another error
	}
	for _, b := range bounds {
		if _, ok := asInt(b); !ok && b != nil {
			return false
		}
	}
	switch of.(type) {
	case string, markup, *List, Tuple, *grouped, numbers:
		return true
	}
	return false
}
