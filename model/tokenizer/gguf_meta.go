package tokenizer

import (
	"fmt"
	"math"
	"reflect"

	"foretoken/model"
)

// gguf reads metadata and remembers the first thing that was wrong.
type gguf struct {
	meta   map[string]any
	addBOS bool // unless the metadata says otherwise
	err    error
}

func (g *gguf) fail(key, want string, err error) {
	if g.err == nil {
		g.err = &FormatError{File: "GGUF", Field: key, Want: want, Err: err}
	}
}

// text is the string at key, "" if there is none.
func (g *gguf) text(key string) string {
	v, ok := g.meta[key]
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		g.fail(key, fmt.Sprintf("a string, not %T", v), nil)
	}
	return s
}

func (g *gguf) flag(key string, otherwise bool) bool {
	v, ok := g.meta[key]
	if !ok {
		return otherwise
	}
	b, ok := v.(bool)
	if !ok {
		g.fail(key, fmt.Sprintf("a bool, not %T", v), nil)
	}
	return b
}

// id is the named token's id below n, None if the file names none.
func (g *gguf) id(name string, n int) model.Token {
	key := "tokenizer.ggml." + name + "_token_id"
	v, ok := g.meta[key]
	if !ok {
		return None
	}
	i, ok := integer(reflect.ValueOf(v))
	if !ok || i < 0 || i >= int64(n) {
		if ok && (i == -1 || i == math.MaxUint32) {
			return None // how writers say that there is none
		}
		g.fail(key, fmt.Sprintf("an id in [0, %d), not %v", n, v), nil)
		return None
	}
	return model.Token(i)
}

func (g *gguf) strings(key string) []string {
	return list(g, key, func(v reflect.Value) (string, bool) { return v.String(), v.Kind() == reflect.String })
}

// types are the token types; a file without them has normal tokens only.
func (g *gguf) types(n int) []int {
	const key = "tokenizer.ggml.token_type"
	if _, ok := g.meta[key]; !ok {
		out := make([]int, n)
		for i := range out {
			out[i] = ggufNormal
		}
		return out
	}
	out := list(g, key, func(v reflect.Value) (int, bool) {
		i, ok := integer(v)
		return int(i), ok && i >= ggufNormal && i <= ggufByte
	})
	g.length(key, len(out), n)
	return out
}

func (g *gguf) floats(key string, n int) []float32 {
	out := list(g, key, func(v reflect.Value) (float32, bool) {
		if !v.CanFloat() || math.IsNaN(v.Float()) {
			return 0, false
		}
		return float32(v.Float()), true
	})
	g.length(key, len(out), n)
	return out
}

func (g *gguf) length(key string, got, want int) {
	if got != want {
		g.fail(key, fmt.Sprintf("%d entries, one a token, not %d", want, got), nil)
	}
}

// list reads an array, typed or of any.
func list[T any](g *gguf, key string, read func(reflect.Value) (T, bool)) []T {
	v, ok := g.meta[key]
	if !ok {
		return nil
	}
	a := reflect.ValueOf(v)
	if a.Kind() != reflect.Slice {
		g.fail(key, fmt.Sprintf("an array, not %T", v), nil)
		return nil
	}
	out := make([]T, a.Len())
	for i := range out {
		e := a.Index(i)
		if e.Kind() == reflect.Interface {
			e = e.Elem()
		}
		if !e.IsValid() {
			ok = false
		} else {
			out[i], ok = read(e)
		}
		if !ok {
			g.fail(key, fmt.Sprintf("%T in range as entry %d, not %v", out[i], i, a.Index(i)), nil)
			return nil
		}
	}
	return out
}

func integer(v reflect.Value) (int64, bool) {
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return int64(v.Uint()), true
	}
	return 0, false
}
