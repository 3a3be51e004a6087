package checkpoint

import (
	"maps"
	"slices"
)

// Reads of bytes that are no files, for the fuzz targets.

func ReadGGUF(b []byte) (*Checkpoint, error) {
	ck := &Checkpoint{Path: "fuzz.gguf", Tensors: map[string]Tensor{}}
	return ck, ck.gguf(ck.Path, b)
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
	ck := &Checkpoint{Path: "fuzz", Tensors: map[string]Tensor{}, groups: true}
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
