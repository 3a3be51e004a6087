package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/strict"
)

// readLogits reads a row as JSON or as raw float32.
func readLogits(path, format string, in io.Reader) (model.Row, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(in)
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	if format == "auto" {
		if format, err = formatOf(path, data); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var row model.Row
	switch format {
	case "json":
		row, err = jsonLogits(data)
	case "f32":
		row, err = model.RowOf(data)
	default:
		return nil, fmt.Errorf("sample: --format %q, want json, f32 or auto", format)
	}
	if err == nil && len(row) == 0 {
		err = fmt.Errorf("no logits, want at least one")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return row, nil
}

// formatOf goes by the name, and refuses what looks like something else.
func formatOf(path string, data []byte) (string, error) {
	switch {
	case path == "-" || strings.HasSuffix(path, ".json"):
		return "json", nil
	case !strings.HasSuffix(path, ".f32"):
		return "", errors.New("is neither .json nor .f32; want one of them, or --format")
	case len(data) >= 16 && isText(data): // of 4 random floats, one in millions
		return "", errors.New("is text, want little-endian float32; or say --format f32")
	}
	return "f32", nil
}

func isText(data []byte) bool {
	return !bytes.ContainsFunc(data, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) })
}

func jsonLogits(data []byte) (model.Row, error) {
	var values []*float32
	if err := strict.JSON(data, &values); err != nil {
		return nil, fmt.Errorf("%w; want a JSON array of numbers, null for -infinity", err)
	}
	var row model.Row
	for _, v := range values {
		if v == nil {
			row = append(row, float32(math.Inf(-1)))
			continue
		}
		row = append(row, *v)
	}
	return row, nil
}

// choices is a support, the most probable first, equals by id.
func choices(d sampler.Distribution) []choice {
	var out []choice
	for id, p := range d.All() {
		out = append(out, choice{id, p})
	}
	slices.SortFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func supportTable(support []choice, top int) results.Table {
	t := results.Table{Title: fmt.Sprintf("Support: %d tokens", len(support)), Header: []string{"rank", "id", "probability", "cumulative"}}
	sum := 0.0
	for i, c := range support {
		if sum += c.Probability; top == 0 || i < top {
			t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprint(c.ID), fmt.Sprintf("%.6g", c.Probability), fmt.Sprintf("%.6f", sum)})
		}
	}
	if n := len(support) - len(t.Rows); n > 0 {
		t.Notes = []string{fmt.Sprintf("and %d more (--top 0 prints all)", n)}
	}
	return t
}
