package checkpoint

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

const (
	weightsName = "model.safetensors"
	indexName   = "model.safetensors.index.json"
)

// readWeights reads model.safetensors, or the shards that an index names, or the
// folder's single file of safetensors.
func (ck *Checkpoint) readWeights() error {
	whole, index := filepath.Join(ck.Path, weightsName), filepath.Join(ck.Path, indexName)
	switch {
	case exists(whole):
		_, err := ck.readShard(whole)
		return err
	case exists(index):
		return ck.readIndex(index)
	}
	names, err := filepath.Glob(filepath.Join(globEscape(ck.Path), "*.safetensors"))
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if len(names) != 1 {
		return missing(ck.Path, weightsName, fmt.Sprintf("it, or %s, or exactly one file of safetensors (there are %d)", indexName, len(names)))
	}
	_, err = ck.readShard(names[0])
	return err
}

// readIndex reads every shard that the index names, and holds the index against
// what they have.
func (ck *Checkpoint) readIndex(path string) error {
	b, err := readJSON(path)
	if err != nil {
		return err
	}
	shards, err := parseIndex(path, b)
	if err != nil {
		return err
	}
	for _, shard := range slices.Sorted(maps.Keys(shards)) {
		file := filepath.Join(ck.Path, shard)
		if !exists(file) {
			return missing(file, shards[shard][0], "the shard that "+indexName+" names for it")
		}
		has, err := ck.readShard(file)
		if err != nil {
			return err
		}
		for _, name := range shards[shard] {
			if !has[name] {
				return missing(file, name, "the tensor that "+indexName+" says is in this shard")
			}
		}
	}
	return nil
}

// parseIndex turns the index round: the names of the tensors of each shard. A
// shard is a file of the same folder.
func parseIndex(path string, b []byte) (map[string][]string, error) {
	var index struct {
		WeightMap map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(b, &index); err != nil {
		return nil, malformed(path, "", "a JSON object with a weight_map of names", "%v", err)
	}
	if len(index.WeightMap) == 0 {
		return nil, missing(path, "weight_map", "a shard for each tensor")
	}
	shards := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(index.WeightMap)) {
		shard := index.WeightMap[name]
		if shard == "." || !filepath.IsLocal(shard) || strings.ContainsAny(shard, `/\`) {
			return nil, malformed(path, name, "the name of a file in the same folder", "shard %q", shard)
		}
		shards[shard] = append(shards[shard], name)
	}
	return shards, nil
}

// readShard adds the tensors of a file, and returns the names that it has.
func (ck *Checkpoint) readShard(path string) (map[string]bool, error) {
	f, err := ck.open(path)
	if err != nil {
		return nil, err
	}
	entries, data, err := parseSafetensors(path, f.data)
	if err != nil {
		return nil, err
	}
	has := make(map[string]bool, len(entries))
	for _, e := range entries {
		has[e.name] = true
		if unused(e.name) {
			continue
		}
		if err := ck.add(path, e.name, e, data); err != nil {
			return nil, err
		}
	}
	return has, nil
}
