package checkpoint

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A model over several files, as llama-gguf-split makes them: NAME-00001-of-00003.gguf
// and so on, each with its number, counted from 0, and their count; the first has the
// metadata of all.
const (
	splitNumber  = "split.no"
	splitCount   = "split.count"
	splitTensors = "split.tensors.count"
	maxSplits    = 99_999 // of five digits
)

// splitName is the name of split i, from 0, of n.
func splitName(name string, i, n int) string {
	return fmt.Sprintf("%s-%05d-of-%05d.gguf", name, i+1, n)
}

// splits are the files of a model whose first is the file called name: that one alone,
// where it says nothing of others.
func (ck *Checkpoint) splits(name string, first ggufPart) ([]ggufPart, error) {
	m := ggufMeta{file: first.path, kv: first.meta}
	n, _ := metaField[int64](&m, splitCount, "an integer")
	number, _ := metaField[int64](&m, splitNumber, "an integer")
	if m.err != nil || n <= 1 && number == 0 {
		return []ggufPart{first}, m.err
	}
	begin, ok := strings.CutSuffix(name, splitName("", int(number), int(n)))
	switch {
	case n > maxSplits || number < 0 || number >= n:
		return nil, malformed(first.path, splitNumber, fmt.Sprintf("within [0, %s), up to %d of them", splitCount, maxSplits), "%d of %d", number, n)
	case !ok:
		return nil, malformed(first.path, splitNumber, "a file named "+splitName("NAME", int(number), int(n))+", since it says so", "a file named %s", name)
	case number != 0:
		return nil, unsupported(first.path, splitNumber, fmt.Sprintf("file %d of %d by itself", number+1, n), splitName(begin, 0, int(n))+", the first, which has the model's metadata")
	}
	parts := []ggufPart{first}
	for i := 1; i < int(n); i++ {
		p, err := ck.split(splitName(begin, i, int(n)), i, first)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, holdSplits(parts)
}

// split reads split i, and holds it against the first: what both say must be the same.
func (ck *Checkpoint) split(name string, i int, first ggufPart) (p ggufPart, err error) {
	if !ck.exists(name) {
		return p, missing(ck.at(name), "", fmt.Sprintf("it: %s says that there are %v files", filepath.Base(first.path), first.meta[splitCount]))
	}
	if p, err = ck.ggufPart(name); err != nil {
		return p, err
	}
	if got := p.meta[splitNumber]; got != int64(i) {
		return p, mismatch(p.path, splitNumber, fmt.Sprintf("%d, by the file's name", i), "%v", got)
	}
	for _, key := range slices.Sorted(maps.Keys(p.meta)) {
		want, ok := first.meta[key]
		if key != splitNumber && ok && !reflect.DeepEqual(p.meta[key], want) {
			return p, mismatch(p.path, key, short(want)+", as in "+filepath.Base(first.path), "%s", short(p.meta[key]))
		}
	}
	if p.meta[splitCount] != first.meta[splitCount] {
		return p, mismatch(p.path, splitCount, short(first.meta[splitCount])+", as in "+filepath.Base(first.path), "%s", short(p.meta[splitCount]))
	}
	return p, nil
}

// holdSplits holds the count of tensors that the first states against all.
func holdSplits(parts []ggufPart) error {
	n := 0
	for _, p := range parts {
		n += len(p.entries)
	}
	m := ggufMeta{file: parts[0].path, kv: parts[0].meta}
	if want, ok := metaField[int64](&m, splitTensors, "an integer"); ok && want != int64(n) {
		return mismatch(parts[0].path, splitTensors, fmt.Sprintf("%d, those of the %d files", n, len(parts)), "%d", want)
	}
	return m.err
}

// onlyGGUF is the single model among the names of a folder's GGUF files: one, or the
// first of its splits.
func onlyGGUF(names []string) (string, bool) {
	if len(names) == 1 {
		return names[0], true
	}
	slices.Sort(names)
	for i, name := range names {
		if !strings.HasSuffix(name, splitName("", i, len(names))) || i > 0 && len(name) != len(names[0]) {
			return "", false
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return names[0], true
}
