package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"foretoken/results"
)

func newHeader(c Config, o Options, sets []results.PromptSet, infos []results.ModelInfo, rows int) results.Header {
	revision, versions := Build()
	return results.Header{Name: c.Name, Started: time.Now().UTC().Truncate(time.Second), Config: c.JSON(), ConfigFile: o.ConfigFile, Arms: c.arms(), Rows: rows,
		Prompts: sets, Models: infos, Revision: revision, Versions: versions, Host: thisHost(), CommandLine: o.CommandLine}
}

// sameRun says what keeps a run from being taken up: everything that its rows depend on is
// named where it has changed.
func sameRun(old, now results.Header) error {
	if keys := differing(old.Config, now.Config); len(keys) > 0 {
		return fmt.Errorf("its config has another %s", strings.Join(keys, ", "))
	}
	for i, set := range now.Prompts {
		if i < len(old.Prompts) && old.Prompts[i].SHA256 != set.SHA256 {
			return fmt.Errorf("the prompts in %s have changed", set.File)
		}
	}
	for i, m := range now.Models {
		if i >= len(old.Models) {
			return fmt.Errorf("the model %s took no part", m.Ref)
		}
		if err := sameModel(old.Models[i], m); err != nil {
			return err
		}
	}
	for file, sum := range now.Schemas {
		if old.Schemas[file] != sum {
			return fmt.Errorf("the schema in %s has changed", file)
		}
	}
	if !reflect.DeepEqual(old.Arms, now.Arms) || old.Rows != now.Rows {
		return errors.New("its arms or rows are others")
	}
	return nil
}

// sameModel compares the files of a model before what it says of itself, as they say more.
func sameModel(old, now results.ModelInfo) error {
	if old.Files != nil && now.Files != nil {
		for _, name := range slices.Sorted(maps.Keys(now.Files)) {
			if sum, ok := old.Files[name]; !ok {
				return fmt.Errorf("the model %s: %s is new since the run began", now.Ref, name)
			} else if sum != now.Files[name] {
				return fmt.Errorf("the model %s: %s has changed since the run began", now.Ref, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(old.Files)) {
			if _, ok := now.Files[name]; !ok {
				return fmt.Errorf("the model %s: %s is gone since the run began", now.Ref, name)
			}
		}
	}
	if old.Ref != now.Ref || old.Role != now.Role || old.Info != now.Info {
		return fmt.Errorf("the model %s is another", now.Ref)
	}
	return nil
}

// differing names the keys of two configs whose values differ.
func differing(a, b json.RawMessage) []string {
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return []string{"form"}
	}
	var out []string
	for _, key := range keysOf(reflect.TypeFor[Config]()) {
		if !sameJSON(x[key], y[key]) {
			out = append(out, key)
		}
	}
	return out
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
