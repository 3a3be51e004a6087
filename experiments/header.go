package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"foretoken/results"
)

func newHeader(c Config, o Options, sets []results.PromptSet, infos []results.ModelInfo, rows int) results.Header {
	revision, versions := Build()
	return results.Header{Name: c.Name, Started: time.Now().UTC().Truncate(time.Second), Config: c.JSON(), Arms: c.arms(), Rows: rows,
		Prompts: sets, Models: infos, Revision: revision, Versions: versions, Host: thisHost(), CommandLine: o.CommandLine}
}

// sameRun says what keeps a run from being taken up.
func sameRun(old, now results.Header) error {
	var a, b bytes.Buffer
	if err := errors.Join(json.Compact(&a, old.Config), json.Compact(&b, now.Config)); err != nil {
		return err
	}
	if a.String() != b.String() {
		return fmt.Errorf("its config has another %s", strings.Join(differing(old.Config, now.Config), ", "))
	}
	for i, set := range now.Prompts {
		if i < len(old.Prompts) && old.Prompts[i].SHA256 != set.SHA256 {
			return fmt.Errorf("the prompts in %s have changed", set.File)
		}
	}
	for i, m := range now.Models {
		if i < len(old.Models) && old.Models[i] != m {
			return fmt.Errorf("the model %s is another", m.Ref)
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
