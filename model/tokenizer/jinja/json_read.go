package jinja

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// FromJSON reads one JSON value into what a template can walk, objects in the order of
// the text.
func FromJSON(raw []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := fromJSON(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func fromJSON(d *json.Decoder) (Value, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case json.Number:
		if strings.ContainsAny(t.String(), ".eE") {
			return t.Float64()
		}
		return strconv.Atoi(t.String())
	case json.Delim:
		if t == '[' {
			return listFromJSON(d)
		}
		return dictFromJSON(d)
	}
	return tok, nil
}

func listFromJSON(d *json.Decoder) (Value, error) {
	l := &List{}
	for d.More() {
		v, err := fromJSON(d)
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, v)
	}
	_, err := d.Token()
	return l, err
}

func dictFromJSON(d *json.Decoder) (Value, error) {
	dict := NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := fromJSON(d)
		if err != nil {
			return nil, err
		}
		dict.Set(key.(string), v)
	}
	_, err := d.Token()
	return dict, err
}
