package model_test

import (
	"math"
	"slices"
	"testing"

	"foretoken/model"
)

var _ interface {
	model.Logits
	model.RowView
} = model.Row(nil)

// The best is the lowest of equal ones, and no id where there is none.
func TestRowArgmax(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		row  model.Row
		want model.Token
	}{
		{model.Row{1, 3, 3, 2}, 1}, {model.Row{-inf, -4, -inf}, 1}, {model.Row{0}, 0},
		{model.Row{-inf, -inf}, 2}, {model.Row{1, inf}, 2}, {model.Row{nan, 1}, 2}, {model.Row{1, nan, 2}, 3},
	} {
		if got, err := c.row.Argmaxes(); err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: %v %v, want %d", c.row, got, err, c.want)
		}
	}
}

// Raw float32 is little-endian, and whole.
func TestRowOf(t *testing.T) {
	got, err := model.RowOf([]byte{0, 0, 128, 63, 0, 0, 128, 255})
	if err != nil || !slices.Equal(got, model.Row{1, float32(math.Inf(-1))}) {
		t.Errorf("%v %v, want 1 and -Inf", got, err)
	}
	if _, err := model.RowOf(make([]byte, 7)); err == nil {
		t.Error("7 bytes are read")
	}
	dst := make([]float32, 2)
	if lent, _ := got.View(0); got.Read(0, dst) != nil || !slices.Equal(dst, lent) {
		t.Errorf("copied %v, lent %v", dst, lent)
	}
}
