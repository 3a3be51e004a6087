package checkpoint

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

func ReadIndex(b []byte) error {
	_, err := parseIndex("fuzz.json", b)
	return err
}
