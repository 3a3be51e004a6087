package checkpoint

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// A ggufPart is a file of a model: all of it, or one of its splits.
type ggufPart struct {
	path    string
	meta    map[string]any
	entries []entry
	data    []byte // that the entries' places are in
}

func (ck *Checkpoint) readGGUF(name string) error {
	first, err := ck.ggufPart(name)
	if err != nil {
		return err
	}
	parts, err := ck.splits(name, first)
	if err != nil {
		return err
	}
	return ck.gguf(parts)
}

func (ck *Checkpoint) ggufPart(name string) (p ggufPart, err error) {
	f, err := ck.open(name)
	if err != nil {
		return p, err
	}
	return parseGGUF(f.path, f.data)
}

// gguf reads a model of some parts, the first of which has the metadata.
func (ck *Checkpoint) gguf(parts []ggufPart) error {
	path, meta := parts[0].path, parts[0].meta
	ck.GGUF = meta
	var entries []entry
	for _, p := range parts {
		entries = append(entries, p.entries...)
	}
	m := ggufMeta{file: path, kv: meta}
	ck.Config = m.config(entries)
	if ck.Config.Name == "" {
		ck.Config.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if m.err != nil {
		return m.err
	}
	for _, p := range parts {
		if err := ck.placeGGUF(p.path, p.entries, p.data); err != nil {
			return err
		}
	}
	if err := ck.Config.check(path, ggufKeys); err != nil {
		return err
	}
	if err := ck.hold(ck.Config.Shapes()); err != nil {
		return err
	}
	if m.arch == "llama" {
		ck.unpermute()
	}
	return nil
}

// parseGGUF reads the header and holds every tensor's place against the file.
func parseGGUF(path string, b []byte) (p ggufPart, err error) {
	r := &ggufReader{file: path, data: b}
	if string(r.take(4)) != "GGUF" {
		return p, malformed(path, "", "GGUF", "a file that begins with %.4q", b)
	}
	switch v := uint32(r.number(4)); {
	case r.err != nil:
	case v == 2 || v == 3:
	case v&0xffff == 0:
		return p, unsupported(path, "", "a big-endian file", "a little-endian one")
	default:
		return p, unsupported(path, "", fmt.Sprintf("version %d", v), "version 2 or 3")
	}
	r.item = "header"
	tensors := r.count("tensors", ggufMinTensor)
	pairs := r.count("metadata entries", ggufMinKV)
	meta := make(map[string]any, min(pairs, 1024))
	for range pairs {
		r.item = "metadata"
		key := r.text()
		r.item = key
		value := r.value()
		if _, dup := meta[key]; dup {
			r.fail("each key once", "a second value")
		}
		if r.err != nil {
			return p, r.err
		}
		meta[key] = value
	}
	entries := r.entries(tensors)
	align := r.alignment(meta)
	if r.err != nil {
		return p, r.err
	}
	start := (uint64(r.at) + align - 1) / align * align
	data := b[min(start, uint64(len(b))):]
	return ggufPart{path, meta, entries, data}, placed(path, entries, uint64(len(data)), align)
}

func (r *ggufReader) alignment(meta map[string]any) uint64 {
	v, ok := meta["general.alignment"]
	if !ok {
		return ggufAlignment
	}
	n, _ := v.(int64)
	if n < 1 || n > 1<<20 || n&(n-1) != 0 {
		r.item = "general.alignment"
		r.fail("a power of two up to 2^20", "%v", v)
		return ggufAlignment
	}
	return uint64(n)
}

// entries reads the tensor descriptions, whose end is not known before their
// sizes are.
func (r *ggufReader) entries(n int) []entry {
	list := make([]entry, 0, min(n, 1024))
	for range n {
		r.item = "tensor descriptions"
		var e entry
		e.name = r.text()
		r.item = e.name
		dims := r.number(4)
		if dims < 1 || dims > ggufMaxDims {
			r.fail(fmt.Sprintf("1 to %d", ggufMaxDims), "a shape of %d dimensions", dims)
		}
		if r.err != nil {
			return nil
		}
		e.shape = make([]int, dims)
		for i := range e.shape {
			d := r.number(8)
			if d < 1 || d > math.MaxInt {
				r.fail(fmt.Sprintf("1 to %d", math.MaxInt), "dimension %d of %d", i, d)
			}
			e.shape[len(e.shape)-1-i] = int(d) // the file has the innermost first
		}
		number := uint32(r.number(4))
		e.typ, e.read = ggufType(number)
		if e.dtype = unreadGGUF[number]; e.dtype == "" {
			e.dtype = fmt.Sprintf("number %d", number)
		}
		e.begin = r.number(8)
		if r.err != nil {
			return nil
		}
		list = append(list, e)
	}
	return list
}

// placed computes where each tensor ends, and holds the places against the length
// of the data and against each other.
func placed(path string, entries []entry, length, align uint64) error {
	for i := range entries {
		e := &entries[i]
		if !e.read {
			return unsupported(path, e.name, "type "+e.dtype, have)
		}
		n, ok := size(e.typ, e.shape)
		switch {
		case !ok:
			return malformed(path, e.name, fmt.Sprintf("rows of whole blocks of %d, and a size that fits", e.typ.Block()), "shape %v of %v", e.shape, e.typ)
		case e.begin%align != 0:
			return malformed(path, e.name, fmt.Sprintf("a multiple of %d", align), "offset %d", e.begin)
		case e.begin > length || uint64(n) > length-e.begin:
			return malformed(path, e.name, fmt.Sprintf("within the %d bytes of data in the file", length), "%d bytes at offset %d", n, e.begin)
		}
		e.end = e.begin + uint64(n)
	}
	return disjoint(path, entries)
}
