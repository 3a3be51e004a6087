//go:build mlx

package llama_test

import (
	"testing"

	"foretoken/model/checkpoint"
)

// Compiled operations give what the chain of them gives, in every type and shape, and
// hold no handle.
func TestFused(t *testing.T) {
	e := engine(t)
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
		m := loaded(t, write(t, families["llama"], d))
		tokens := ids(1, 12, 64)
		handles := e.Handles()
		plain, fused := session(t, m), session(t, m)
		want := append(rows(t, plain, tokens[:8], 8, 64), rows(t, plain, tokens[8:9], 1, 64)...)
		e.Fuse(true)
		got := append(rows(t, fused, tokens[:8], 8, 64), rows(t, fused, tokens[8:9], 1, 64)...)
		e.Fuse(false)
		if x := apart(got, want); x > tolerance[d] {
			t.Errorf("%v: a logit is off by %.2g of the largest", d, x)
		} else {
			t.Logf("%v: %.2g", d, x)
		}
		plain.Close()
		fused.Close()
		if h := e.Handles(); h != handles {
			t.Errorf("%v: %d handles are left, want %d", d, h, handles)
		}
	}
}
