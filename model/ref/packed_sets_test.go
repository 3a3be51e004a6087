package ref

import (
	"slices"
	"strings"
	"testing"
)

// sets are paths, and those with any other kernels of blocks that this processor runs.
func sets() []*kernels {
	all := paths()
	for i, b := range vecBlocks() {
		if simd != nil && i > 0 {
			k := *simd
			k.blocks = b
			all = append(all, &k)
		}
	}
	return all
}

// emulated is the set of AVX-512 on vectors of plain Go, where TestEmulated has it.
var emulated []*kernels

// The tests of packed rows run all sets of kernels that this processor has, and say so.
func TestPackedSets(t *testing.T) {
	var names []string
	for _, k := range append(sets(), emulated...) {
		names = append(names, k.blocks.name)
	}
	t.Logf("kernels of packed rows compared here: %s", strings.Join(names, ", "))
	if !slices.Contains(names, "avx512") {
		t.Log("AVX-512 is absent: its kernels are compiled, and run on vectors of plain Go alone")
	}
}
