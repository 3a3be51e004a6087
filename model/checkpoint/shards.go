package checkpoint

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"foretoken/strict"
)

const (
	weightsName = "model.safetensors"
	indexName   = "model.safetensors.index.json"
)

// readWeights reads model.safetensors, or the shards that an index names, or the
// folder's single file of safetensors. An index beside a model.safetensors that it does
// not name is refused: transformers would read the file alone, others the shards.
func (ck *Checkpoint) readWeights() error {
	switch one, index := ck.exists(weightsName), ck.exists(indexName); {
	case one && index:
		return ck.readIndex(weightsName)
	case one:
		_, err := ck.readShard(weightsName)
		return err
	case index:
		return ck.readIndex("")
	}
	names, err := fs.Glob(ck.fsys, "*.safetensors")
	if err != nil {
		return ck.failed(err)
	}
	if len(names) != 1 {
		return missing(ck.Path, weightsName, fmt.Sprintf("it, or %s, or exactly one file of safetensors (there are %d)", indexName, len(names)))
	}
	_, err = ck.readShard(names[0])
	return err
}

// readIndex reads every shard that the index names, and holds the index against
// what they have. Where only is not empty, it must name that file alone.
func (ck *Checkpoint) readIndex(only string) error {
	b, err := ck.readJSON(indexName)
	if err != nil {
		return err
	}
	shards, err := parseIndex(ck.at(indexName), b)
	if err != nil {
		return err
	}
	if only != "" && (len(shards) != 1 || shards[only] == nil) {
		return unsupported(ck.at(indexName), "", "an index of other files beside "+only, "one of the two: take away what is not the model")
	}
	for _, shard := range slices.Sorted(maps.Keys(shards)) {
		file := ck.at(shard)
		if !ck.exists(shard) {
			return missing(file, shards[shard][0], "the shard that "+indexName+" names for it")
		}
		has, err := ck.readShard(shard)
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
		return nil, malformed(path, "", "a JSON object with a weight_map of names", "%s", strict.Got(err))
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
func (ck *Checkpoint) readShard(name string) (map[string]bool, error) {
	f, err := ck.open(name)
	if err != nil {
		return nil, err
	}
	entries, data, err := parseSafetensors(f.path, f.data)
	if err != nil {
		return nil, err
	}
	has := make(map[string]bool, len(entries))
	for _, e := range entries {
		has[e.name] = true
	}
	return has, ck.addAll(f.path, entries, data)
}

// addAll adds tensors as the config says that they are stored.
func (ck *Checkpoint) addAll(path string, entries []entry, data []byte) error {
	var err error
	switch {
	case ck.stored.int8:
		entries, err = ck.join(path, entries, data)
	case ck.stored.mlx != nil:
		entries, err = ck.pack(path, entries, data)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if unused(e.name) {
			continue
		}
		if err := ck.add(path, e.name, e, data); err != nil {
			return err
		}
	}
	return nil
}
