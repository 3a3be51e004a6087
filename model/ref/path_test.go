package ref

import (
	"strings"
	"testing"
)

// The advice names what is in the way of the fast kernels, and there is none where
// they run.
func TestPath(t *testing.T) {
	about, advice := Path()
	if want := fastest() != plain; want != (advice == "") || !strings.HasPrefix(about, "ref: p") {
		t.Errorf("%q, %q", about, advice)
	}
	for want, got := range map[string]string{"MLX": slow("arm64", false), "GOEXPERIMENT=simd": slow("amd64", false), "AVX2": slow("amd64", true)} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not speak of %s", got, want)
		}
	}
}
