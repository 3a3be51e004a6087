package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foretoken/experiments/parity"
	"foretoken/results"
	"foretoken/results/plot"
)

// readParity is what an earlier run wrote, or nothing where none did.
func readParity(path string) (r parity.Report, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, wrong("parity: %s: %v; want what foretoken parity wrote", path, err)
	}
	return r, nil
}

// saveParity writes the facts alone.
func saveParity(path string, r parity.Report) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return results.WriteFile(path, append(data, '\n'))
}

// writeParity writes the facts to path, and beside them the tables and the picture.
func writeParity(path string, r parity.Report) (paths []string, err error) {
	if err := saveParity(path, r); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for _, t := range r.Tables() {
		if err := t.Markdown(&text); err != nil {
			return nil, err
		}
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	if err := results.WriteFile(stem+".md", text.Bytes()); err != nil {
		return nil, err
	}
	paths = []string{path, stem + ".md"}
	pictures, err := plot.WriteMatrix(filepath.Dir(path), parityMatrix(filepath.Base(stem), r))
	return append(paths, pictures...), err
}

// parityMatrix is the picture of a report.
func parityMatrix(name string, r parity.Report) plot.Matrix {
	m := plot.Matrix{Name: name, Title: "Parity with mlx-lm", Columns: r.Domains(),
		Note: fmt.Sprintf("prompts whose %d tokens are mlx-lm's / prompts; ~: the others diverge at a near-tie; !: defects", r.Config.MaxTokens)}
	for _, c := range r.Cells {
		m.Rows = append(m.Rows, c.Label())
		var cells []plot.Cell
		for _, d := range m.Columns {
			s := c.Score(d)
			cell := plot.Cell{Text: fmt.Sprintf("%d / %d", s.Equal, s.Equal+s.NearTie+s.Defect), Tone: plot.Good}
			switch {
			case s.Defect > 0:
				cell.Text, cell.Tone = cell.Text+" !", plot.Bad
			case s.NearTie > 0:
				cell.Text += " ~"
			}
			cells = append(cells, cell)
		}
		m.Cells = append(m.Cells, cells)
	}
	return m
}

// canWrite refuses a path that no file of facts can be written to, or that would be written
// over: by what stands beside it, or where it is the config.
func canWrite(path, config string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return wrong("%s is a folder, want a file", path)
	}
	if own, ownErr := os.Stat(config); err == nil && ownErr == nil && os.SameFile(info, own) {
		return wrong("%s is the config, want another file", path)
	}
	if slices.Contains(beside, filepath.Ext(path)) {
		return wrong("%s: %s is written beside the facts, want a file for JSON", path, filepath.Ext(path))
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return wrong("%s is no folder, want one for %s", folder, filepath.Base(path))
	}
	return os.MkdirAll(folder, 0o755)
}
