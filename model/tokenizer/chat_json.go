package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nikolalohinski/gonja/v2/exec"
)

func put(d *exec.Dict, key string, v any) {
	d.Pairs = append(d.Pairs, &exec.Pair{Key: exec.AsValue(key), Value: exec.AsValue(v)})
}

// ordered reads JSON into what a template can walk, objects in the file's order.
func ordered(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := orderedValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func orderedValue(d *json.Decoder) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case json.Number:
		return number(t)
	case json.Delim:
		if t == '[' {
			list := []any{}
			for d.More() {
				v, err := orderedValue(d)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			_, err = d.Token()
			return list, err
		}
		dict := exec.NewDict()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := orderedValue(d)
			if err != nil {
				return nil, err
			}
			put(dict, key.(string), v)
		}
		_, err = d.Token()
		return dict, err
	}
	return tok, nil
}

func number(n json.Number) (any, error) {
	if i, err := strconv.Atoi(n.String()); err == nil {
		return i, nil
	}
	return n.Float64()
}

// toJSON is the filter of that name as transformers has it: Python's json.dumps
// without escapes for non-ASCII.
func toJSON(_ *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
	if in.IsError() {
		return in
	}
	indent := 0
	if v, ok := params.KwArgs["indent"]; ok && v.IsInteger() {
		indent = v.Integer()
	} else if len(params.Args) > 0 && params.Args[0].IsInteger() {
		indent = params.Args[0].Integer()
	}
	w := jsonWriter{indent: indent}
	if err := w.value(in.Interface(), 0); err != nil {
		return exec.AsValue(err)
	}
	return exec.AsSafeValue(w.String())
}

// A jsonWriter writes as json.dumps(v, ensure_ascii=False, indent=indent or None).
type jsonWriter struct {
	strings.Builder
	indent int
}

func (w *jsonWriter) value(v any, depth int) error {
	switch v := v.(type) {
	case nil:
		w.WriteString("null")
	case *exec.Value:
		return w.value(v.Interface(), depth)
	case string:
		w.text(v)
	case bool:
		w.WriteString(strconv.FormatBool(v))
	case int:
		w.WriteString(strconv.Itoa(v))
	case float64:
		w.WriteString(pythonFloat(v))
	case []any:
		return w.group('[', ']', len(v), depth, func(i int) error { return w.value(v[i], depth+1) })
	case exec.Dict:
		return w.value(&v, depth)
	case *exec.Dict:
		return w.group('{', '}', len(v.Pairs), depth, func(i int) error {
			w.text(v.Pairs[i].Key.String())
			w.WriteString(": ")
			return w.value(v.Pairs[i].Value, depth+1)
		})
	case map[string]any:
		d := exec.NewDict()
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			put(d, k, v[k])
		}
		return w.value(d, depth)
	default:
		return fmt.Errorf("tojson of a %T", v)
	}
	return nil
}

func (w *jsonWriter) group(open, end byte, n, depth int, item func(int) error) error {
	w.WriteByte(open)
	for i := range n {
		switch {
		case w.indent > 0 && i > 0:
			w.WriteByte(',')
		case i > 0:
			w.WriteString(", ")
		}
		w.line(depth + 1)
		if err := item(i); err != nil {
			return err
		}
	}
	if n > 0 {
		w.line(depth)
	}
	w.WriteByte(end)
	return nil
}

func (w *jsonWriter) line(depth int) {
	if w.indent > 0 {
		w.WriteByte('\n')
		w.WriteString(strings.Repeat(" ", depth*w.indent))
	}
}

func (w *jsonWriter) text(s string) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	w.WriteByte('"')
	for _, r := range s {
		if e, ok := short[r]; ok {
			w.WriteString(e)
		} else if r < ' ' {
			fmt.Fprintf(w, `\u%04x`, r)
		} else {
			w.WriteRune(r)
		}
	}
	w.WriteByte('"')
}

// pythonFloat is Python's repr of a float.
func pythonFloat(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
