//go:build models

package ref

import "testing"

// Plain has the models that a test makes from here on run on the plain kernels.
func Plain(t *testing.T) {
	was := simd
	simd = nil
	t.Cleanup(func() { simd = was })
}
