package load

import (
	"errors"
	"fmt"

	"foretoken/model/checkpoint"
)

// ErrMemory is wrapped where weights take more memory than the machine has free.
var ErrMemory = errors.New("not enough memory")

// checkMemory refuses weights that cannot fit before the runtime dies of them. need is what
// they take at least, in bytes; where free memory is not known, nothing is refused.
func checkMemory(name string, need, free int64) error {
	if free <= 0 || need <= free {
		return nil
	}
	return fmt.Errorf("load: %s: %w: its weights take at least %s, and %s is free; take a smaller or more quantised model", name, ErrMemory, megabytes(need), megabytes(free))
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", (n+999_999)/1_000_000) }

// weightBytes is what the weights of a checkpoint take at least: as they are stored, or as
// float32.
func weightBytes(ck *checkpoint.Checkpoint, asFloat32 bool) int64 {
	total := int64(0)
	for _, t := range ck.Tensors {
		if !asFloat32 {
			total += int64(len(t.Data))
			continue
		}
		scalars := int64(1)
		for _, n := range t.Shape {
			scalars *= int64(n)
		}
		total += 4 * scalars
	}
	return total
}
