package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"foretoken/strict"
)

// The format is that of the safetensors repository's README: eight bytes of header
// length, a JSON header, the data. Its rules are held: no overlap, no hole, no
// duplicate name, and the last tensor ends where the file does.

const maxSafetensorsHeader = 100_000_000 // the format's own limit

var safetensorsTypes = map[string]DType{"F32": F32, "F16": F16, "BF16": BF16}

// elementBytes of the types that the format has.
var elementBytes = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "F8_E8M0": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8, "C64": 8,
}

// parseSafetensors reads the header and holds every tensor's place against the
// file. data is the part of the file that the places are in.
func parseSafetensors(path string, b []byte) (entries []entry, data []byte, err error) {
	if len(b) < 8 {
		return nil, nil, malformed(path, "", "8 bytes of header length", "%d bytes", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) || n > maxSafetensorsHeader {
		return nil, nil, malformed(path, "header length", fmt.Sprintf("at most %d, the rest of the file", min(len(b)-8, maxSafetensorsHeader)), "%d", n)
	}
	data = b[8+n:]
	entries, err = safetensorsEntries(path, b[8:8+n], uint64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	if err := disjoint(path, entries); err != nil {
		return nil, nil, err
	}
	end := uint64(0)
	for _, e := range entries {
		if e.begin != end {
			return nil, nil, malformed(path, e.name, fmt.Sprintf("no hole after offset %d", end), "data from %d on", e.begin)
		}
		end = e.end
	}
	if end != uint64(len(data)) {
		return nil, nil, malformed(path, "", fmt.Sprintf("%d, where the last tensor ends", end), "%d bytes of data", len(data))
	}
	return entries, data, nil
}

func safetensorsEntries(path string, header []byte, length uint64) (entries []entry, err error) {
	bad := func(err error) error {
		return malformed(path, "header", "a JSON object of tensors", "%s", strict.Got(err))
	}
	dec := json.NewDecoder(bytes.NewReader(header))
	if t, err := dec.Token(); err != nil {
		return nil, bad(err)
	} else if t != json.Delim('{') {
		return nil, bad(fmt.Errorf("it begins with %v", t))
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, bad(err)
		}
		name, _ := t.(string)
		if seen[name] {
			return nil, malformed(path, name, "each tensor once", "a second description")
		}
		seen[name] = true
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, bad(err)
		}
		if name == "__metadata__" {
			continue
		}
		e, err := safetensorsEntry(path, name, raw, length)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	if _, err := dec.Token(); err != nil {
		return nil, bad(err)
	}
	if t, err := dec.Token(); err != io.EOF {
		return nil, bad(fmt.Errorf("%v after it", t))
	}
	return entries, nil
}

func safetensorsEntry(path, name string, raw []byte, length uint64) (e entry, err error) {
	var h struct {
		DType   string   `json:"dtype"`
		Shape   []uint64 `json:"shape"`
		Offsets []uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		return e, malformed(path, name, "dtype, shape and data_offsets", "%s", strict.Got(err))
	}
	width, known := elementBytes[h.DType]
	switch {
	case !known:
		return e, unsupported(path, name, fmt.Sprintf("dtype %q", h.DType), "F32, F16 or BF16")
	case len(h.Offsets) != 2:
		return e, malformed(path, name, "2, the begin and the end", "%d data_offsets", len(h.Offsets))
	case h.Offsets[0] > h.Offsets[1] || h.Offsets[1] > length:
		return e, malformed(path, name, fmt.Sprintf("0 <= begin <= end <= %d, the bytes of data in the file", length), "data_offsets %v", h.Offsets)
	case h.Shape == nil:
		return e, missing(path, name, "a shape")
	}
	e = entry{name: name, dtype: h.DType, begin: h.Offsets[0], end: h.Offsets[1]}
	e.typ, e.read = safetensorsTypes[h.DType]
	bytes := width
	for _, n := range h.Shape {
		if n > 1<<62 || n > 0 && bytes > 1<<62/n {
			return e, malformed(path, name, "a size that fits", "shape %v of %s", h.Shape, h.DType)
		}
		bytes *= n
		e.shape = append(e.shape, int(n))
	}
	if bytes != e.end-e.begin {
		return e, malformed(path, name, fmt.Sprintf("%d, for shape %v of %s", bytes, h.Shape, h.DType), "%d bytes between its data_offsets", e.end-e.begin)
	}
	return e, nil
}

// unused says of a tensor that it is a table that a backend computes itself.
func unused(name string) bool { return strings.HasSuffix(name, "rotary_emb.inv_freq") }
