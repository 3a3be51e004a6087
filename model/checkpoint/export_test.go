package checkpoint

import (
	"maps"
	"slices"
	"testing/fstest"
)

// Reads of bytes that are no files, for the fuzz targets.

func ReadGGUF(b []byte) (*Checkpoint, error) {
	ck := &Checkpoint{Path: "fuzz.gguf", fsys: fstest.MapFS{}, Tensors: map[string]Tensor{}}
	p, err := parseGGUF(ck.Path, b)
	if err != nil {
		return ck, err
	}
	parts, err := ck.splits("fuzz.gguf", p)
	if err != nil {
		return ck, err
	}
	return ck, ck.gguf(parts)
}

func ReadSafetensors(b []byte) ([]Tensor, error) {
	entries, data, err := parseSafetensors("fuzz.safetensors", b)
	var list []Tensor
	for _, e := range entries {
		if e.read {
			list = append(list, Tensor{Name: e.name, Type: e.typ, Shape: e.shape, Data: data[e.begin:e.end]})
		}
	}
	return list, err
}

func ReadConfig(config, generation []byte) (Config, error) {
	c, _, err := parseConfig("fuzz", config, generation)
	return c, err
}

// ReadGroups reads a file whose config says that it is in groups of int8.
func ReadGroups(b []byte) ([]Tensor, error) {
	ck := &Checkpoint{Path: "fuzz", Tensors: map[string]Tensor{}, stored: quantisation{int8: true}}
	entries, data, err := parseSafetensors("fuzz.safetensors", b)
	if err == nil {
		err = ck.addAll("fuzz.safetensors", entries, data)
	}
	return slices.Collect(maps.Values(ck.Tensors)), err
}

func ReadIndex(b []byte) error {
	_, err := parseIndex("fuzz.json", b)
	return err
}

// ReadAffine reads a file whose config states MLX's quantisation.
func ReadAffine(stated string, b []byte) ([]Tensor, error) {
	f, err := parseFields("fuzz.json", []byte(`{"quantization": `+stated+`}`))
	if err != nil {
		return nil, err
	}
	ck := &Checkpoint{Path: "fuzz", Tensors: map[string]Tensor{}, packed: map[string]Tensor{}}
	if ck.stored, err = f.quantisation(); err != nil || ck.stored.mlx == nil {
		return nil, err
	}
	entries, data, err := parseSafetensors("fuzz.safetensors", b)
	if err == nil {
		err = ck.addAll("fuzz.safetensors", entries, data)
	}
	if err == nil {
		err = ck.unpack()
	}
	return slices.Collect(maps.Values(ck.Tensors)), err
}
