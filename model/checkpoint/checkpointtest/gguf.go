package checkpointtest

import (
	"encoding/binary"
	"fmt"
	"math"
)

// KV is a metadata entry of a GGUF file. A Value is a uint32, uint64, int32,
// float32, bool, string, []string, []int32, []float32, or a RawValue.
type KV struct {
	Key   string
	Value any
}

// A RawValue is the type of a value and its bytes, right or wrong.
type RawValue struct {
	Type uint32
	Data []byte
}

// GGUF is a file of that format, right or wrong.
type GGUF struct {
	Version   uint32
	Alignment int // of the data; a value that is not 32 belongs in Meta too
	Meta      []KV
	Tensors   []GGUFTensor
	Data      []byte

	// Claims of the header, where they are not the truth.
	TensorCount, MetaCount *uint64
}

// A GGUFTensor is what the header says of a tensor.
type GGUFTensor struct {
	Name   string
	Dims   []uint64 // innermost first
	Type   uint32
	Offset uint64
}

// Add appends a tensor of a shape, outermost first.
func (f *GGUF) Add(name string, typ uint32, shape []int, data []byte) {
	for len(f.Data)%f.Alignment != 0 {
		f.Data = append(f.Data, 0)
	}
	t := GGUFTensor{Name: name, Type: typ, Offset: uint64(len(f.Data))}
	for i := len(shape) - 1; i >= 0; i-- {
		t.Dims = append(t.Dims, uint64(shape[i]))
	}
	f.Tensors = append(f.Tensors, t)
	f.Data = append(f.Data, data...)
}

// Bytes is the file.
func (f *GGUF) Bytes() []byte {
	le := binary.LittleEndian
	tensors, meta := uint64(len(f.Tensors)), uint64(len(f.Meta))
	if f.TensorCount != nil {
		tensors = *f.TensorCount
	}
	if f.MetaCount != nil {
		meta = *f.MetaCount
	}
	b := le.AppendUint32([]byte("GGUF"), f.Version)
	b = le.AppendUint64(le.AppendUint64(b, tensors), meta)
	for _, kv := range f.Meta {
		typ, data := value(kv.Value)
		b = append(le.AppendUint32(appendText(b, kv.Key), typ), data...)
	}
	for _, t := range f.Tensors {
		b = le.AppendUint32(appendText(b, t.Name), uint32(len(t.Dims)))
		for _, d := range t.Dims {
			b = le.AppendUint64(b, d)
		}
		b = le.AppendUint64(le.AppendUint32(b, t.Type), t.Offset)
	}
	for len(b)%f.Alignment != 0 {
		b = append(b, 0)
	}
	return append(b, f.Data...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(s))), s...)
}

func value(v any) (typ uint32, b []byte) {
	le := binary.LittleEndian
	switch v := v.(type) {
	case RawValue:
		return v.Type, v.Data
	case uint32:
		return 4, le.AppendUint32(nil, v)
	case int32:
		return 5, le.AppendUint32(nil, uint32(v))
	case float32:
		return 6, le.AppendUint32(nil, math.Float32bits(v))
	case bool:
		if v {
			return 7, []byte{1}
		}
		return 7, []byte{0}
	case string:
		return 8, appendText(nil, v)
	case uint64:
		return 10, le.AppendUint64(nil, v)
	case []string:
		return list(8, v)
	case []int32:
		return list(5, v)
	case []float32:
		return list(6, v)
	}
	panic(fmt.Sprintf("checkpointtest: metadata value of type %T", v))
}

func list[T any](elem uint32, v []T) (typ uint32, b []byte) {
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, elem), uint64(len(v)))
	for _, e := range v {
		_, data := value(e)
		b = append(b, data...)
	}
	return 9, b
}
