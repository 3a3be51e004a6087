package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"foretoken/draft"
)

// MarshalJSON implements json.Marshaler, with the keys of a config.
func (d Drafter) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	writeJSON(&b, treeOf(reflect.ValueOf(d)))
	return b.Bytes(), nil
}

// UnmarshalJSON implements json.Unmarshaler. Letters' case and underscores of keys do not
// count: kept reports have been written with the names of Go's fields.
func (d *Drafter) UnmarshalJSON(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	keys := map[string]json.RawMessage{}
	for key, value := range given {
		keys[loose(key)] = value
	}
	if err := fill(keys, "name", &d.Name); err != nil {
		return err
	}
	var err error
	if d.Options, err = draft.ByName(d.Name); err != nil {
		return err
	}
	for _, s := range slotsOf(reflect.ValueOf(d).Elem()) {
		value := s.value
		if name, ok := reference(value); ok {
			value = name
		}
		if err := fill(keys, s.key, value.Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

func fill(keys map[string]json.RawMessage, key string, to any) error {
	value, ok := keys[loose(key)]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(value, to); err != nil {
		return fmt.Errorf("drafter: %s: %w", key, err)
	}
	return nil
}

func loose(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }
