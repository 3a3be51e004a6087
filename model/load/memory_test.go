package load

import (
	"errors"
	"strings"
	"testing"
)

// Weights that do not fit are refused in words, and nothing where it is not known.
func TestCheckMemory(t *testing.T) {
	err := checkMemory("big", 3_200_000_000, 2_000_000_001)
	if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "big: not enough memory: its weights take at least 3200 MB, and 2001 MB is free") {
		t.Errorf("%v", err)
	}
	for _, free := range []int64{0, 3_200_000_000} {
		if err := checkMemory("big", 3_200_000_000, free); err != nil {
			t.Errorf("%d free: %v", free, err)
		}
	}
}
