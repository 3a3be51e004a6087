package results

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// Text writes the title and every table for a terminal.
func (s Summary) Text(w io.Writer, tables ...string) error {
	return s.each(w, tables, func(t Table) error { return t.Text(w) }, "")
}

// Markdown writes the same for a page.
func (s Summary) Markdown(w io.Writer, tables ...string) error {
	return s.each(w, tables, func(t Table) error { return t.Markdown(w) }, "# ")
}

func (s Summary) each(w io.Writer, names []string, write func(Table) error, heading string) error {
	fmt.Fprintf(w, "%s%s\n\n", heading, s.Title())
	for i, t := range s.Tables() {
		if len(names) > 0 && !slices.Contains(names, t.Name) {
			continue
		}
		if i > 0 && heading == "" {
			fmt.Fprintln(w)
		}
		if err := write(t); err != nil {
			return err
		}
	}
	return nil
}

// WriteTables leaves tables.txt, tables.md and the CSV files in a run's folder,
// and returns their paths.
func WriteTables(dir string, s Summary) ([]string, error) {
	var paths []string
	put := func(name string, write func(io.Writer) error) error {
		var buf bytes.Buffer
		if err := write(&buf); err != nil {
			return err
		}
		path := filepath.Join(dir, name)
		paths = append(paths, path)
		return WriteFile(path, buf.Bytes())
	}
	type file struct {
		name  string
		write func(io.Writer) error
	}
	files := []file{
		{"tables.txt", func(w io.Writer) error { return s.Text(w) }},
		{"tables.md", func(w io.Writer) error { return s.Markdown(w) }},
		{"arms.csv", s.CSV},
		{"parity.csv", s.ParityCSV},
		{"positions.csv", s.PositionsCSV},
	}
	for _, f := range files {
		if err := put(f.name, f.write); err != nil {
			return paths, fmt.Errorf("results: %s: %w", f.name, err)
		}
	}
	return paths, nil
}
