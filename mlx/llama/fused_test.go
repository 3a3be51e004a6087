//go:build mlx

package llama_test

import (
	"testing"

	"foretoken/mlx"
	"foretoken/model/checkpoint"
)

// Compiled operations give what the chain of them gives, in every type and shape, and
// hold no handle.
func TestFused(t *testing.T) {
	e := engineWith(t, func(o *mlx.Options) { o.Fuse = mlx.Off })
	f := engineWith(t, func(o *mlx.Options) { o.Fuse = mlx.On })
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
		ck := write(t, families["llama"], d)
		chains, compiled := loadedOn(t, e, ck), loadedOn(t, f, ck)
		tokens := ids(1, 12, 64)
		before := e.Handles() + f.Handles()
		plain, fused := session(t, chains), session(t, compiled)
		want := append(rows(t, plain, tokens[:8], 8, 64), rows(t, plain, tokens[8:9], 1, 64)...)
		got := append(rows(t, fused, tokens[:8], 8, 64), rows(t, fused, tokens[8:9], 1, 64)...)
		if x := apart(got, want); x > tolerance[d] {
			t.Errorf("%v: a logit is off by %.2g of the largest", d, x)
		} else {
			t.Logf("%v: %.2g", d, x)
		}
		plain.Close()
		fused.Close()
		if h := e.Handles() + f.Handles(); h != before {
			t.Errorf("%v: %d handles are left, want %d", d, h, before)
		}
	}
}

// Attention by few queries gives what attention of all gives.
func TestAttendsByFew(t *testing.T) {
	ck := write(t, families["llama"], checkpoint.F32)
	all := engineWith(t, func(o *mlx.Options) { o.AttendFew = -1 })
	few := engineWith(t, func(o *mlx.Options) { o.AttendFew = 3 })
	tokens := ids(1, 31, 64)
	whole, parts := session(t, loadedOn(t, all, ck)), session(t, loadedOn(t, few, ck))
	for _, n := range []int{4, 1, 5, 6, 3, 12} {
		want := rows(t, whole, tokens[:n], n, 64)
		got := rows(t, parts, tokens[:n], n, 64)
		if x := apart(got, want); x > tolerance[checkpoint.F32] {
			t.Errorf("%d queries: a logit is off by %.2g of the largest", n, x)
		}
		tokens = tokens[n:]
	}
}
