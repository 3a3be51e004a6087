package jinja

import (
	"math"
	"math/bits"
)

var intMethods = map[string]*builtin{
	"bit_length": intMethod(func(i int) Value { return bits.Len64(size(i)) }),
	"bit_count":  intMethod(func(i int) Value { return bits.OnesCount64(size(i)) }),
	"conjugate":  intMethod(func(i int) Value { return i }),
	"as_integer_ratio": intMethod(func(i int) Value {
		return Tuple{i, 1}
	}),
}

func intMethod(of func(int) Value) *builtin {
	return def("", func(r *run, self Value, a args) Value {
		i, _ := asInt(self)
		return of(i)
	})
}

// size is how far a number is from 0.
func size(i int) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

var floatMethods = map[string]*builtin{
	"is_integer": def("", func(r *run, self Value, a args) Value {
		f := self.(float64)
		return f == math.Trunc(f) && !math.IsInf(f, 0)
	}),
	"conjugate": def("", func(r *run, self Value, a args) Value { return self }),
}
