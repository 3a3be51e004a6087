package checkpoint

import (
	"cmp"
	"fmt"
	"slices"
)

// An entry is a tensor as a file's header describes it, before its place is
// trusted.
type entry struct {
	name       string
	dtype      string // in the format's words
	typ        DType
	read       bool // typ is one that is read
	shape      []int
	begin, end uint64 // in the data
}

// disjoint sorts entries by place and refuses overlapping ones.
func disjoint(file string, entries []entry) error {
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	for i := 1; i < len(entries); i++ {
		if a, b := entries[i-1], entries[i]; b.begin < a.end {
			return malformed(file, b.name, fmt.Sprintf("no overlap with %s, which ends at %d", a.name, a.end), "data from %d on", b.begin)
		}
	}
	return nil
}

// add gives ck the tensor that e describes. data is the file's tensor data.
func (ck *Checkpoint) add(file, name string, e entry, data []byte) error {
	if !e.read {
		return unsupported(file, e.name, "type "+e.dtype, have)
	}
	if _, dup := ck.Tensors[name]; dup {
		return malformed(file, e.name, "each tensor once", "a second %s", name)
	}
	ck.Tensors[name] = Tensor{Name: name, Type: e.typ, Shape: e.shape, Data: data[e.begin:e.end:e.end]}
	return nil
}
