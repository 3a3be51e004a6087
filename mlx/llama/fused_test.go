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
		fuse(t, true)
		got := append(rows(t, fused, tokens[:8], 8, 64), rows(t, fused, tokens[8:9], 1, 64)...)
		fuse(t, false)
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

func fuse(t *testing.T, on bool) {
	t.Helper()
	if err := engine(t).Fuse(on); err != nil {
		t.Fatal(err)
	}
}

// Attention by few queries gives what attention of all gives.
func TestAttendsByFew(t *testing.T) {
	e := engine(t)
	m := loaded(t, write(t, families["llama"], checkpoint.F32))
	tokens := ids(1, 31, 64)
	whole, parts := session(t, m), session(t, m)
	for _, n := range []int{4, 1, 5, 6, 3, 12} {
		want := rows(t, whole, tokens[:n], n, 64)
		e.AttendFew(3)
		got := rows(t, parts, tokens[:n], n, 64)
		e.AttendFew(0)
		if x := apart(got, want); x > tolerance[checkpoint.F32] {
			t.Errorf("%d queries: a logit is off by %.2g of the largest", n, x)
		}
		tokens = tokens[n:]
	}
}
