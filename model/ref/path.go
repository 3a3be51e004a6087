package ref

import (
	"fmt"
	"runtime"
)

// Path says which kernels this program runs here, and where they are the plain ones,
// what that costs and how to get others; "" where nothing faster is to be had.
func Path() (about, advice string) {
	k := fastest()
	if k != plain {
		return fmt.Sprintf("ref: products of quantised weights on %s, everything else on %s", k.blocks.name, k.name), ""
	}
	return "ref: plain kernels", slow(runtime.GOARCH, withVectors)
}

// slow is the advice to a program on the plain kernels. built is whether it has the
// others, which this processor then lacks.
func slow(arch string, built bool) string {
	const cost = "ref runs on plain kernels, with the same tokens at about a sixth of the speed: "
	switch {
	case arch != "amd64": // without SSE's vectors too
		return "ref runs on plain kernels, with the same tokens: Go has vectors for amd64 alone, where they are some twelve times as fast; an engine on MLX is faster here"
	case !built:
		return cost + "this program was built without GOEXPERIMENT=simd, which make build sets"
	}
	return cost + "this processor has no AVX2 with FMA, or GODEBUG turns it off"
}
