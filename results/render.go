package results

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Text writes t for a terminal: light rules, the first column to the left and
// figures to the right.
func (t Table) Text(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.Title); err != nil {
		return err
	}
	if len(t.Rows) == 0 {
		_, err := fmt.Fprintln(w, "  none")
		return err
	}
	r := renderer.NewBlueprint(tw.Rendition{
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.On},
		},
	})
	if err := t.render(w, r); err != nil {
		return err
	}
	return t.notes(w, "  ", "\n")
}

// Markdown writes t as a GitHub table under a heading.
func (t Table) Markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "## %s\n\n", t.Title); err != nil {
		return err
	}
	if len(t.Rows) == 0 {
		_, err := fmt.Fprint(w, "None.\n\n")
		return err
	}
	if err := t.render(w, renderer.NewMarkdown()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := t.notes(w, "- ", "\n"); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (t Table) render(w io.Writer, r tw.Renderer) error {
	align := make([]tw.Align, len(t.Header))
	for i := range align {
		align[i] = tw.AlignRight
		if t.textual(i) {
			align[i] = tw.AlignLeft
		}
	}
	var buf bytes.Buffer
	cells := tw.CellConfig{Alignment: tw.CellAlignment{PerColumn: align}, Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone}}
	header := cells
	header.Formatting.AutoFormat = tw.Off
	out := tablewriter.NewTable(&buf, tablewriter.WithRenderer(r), tablewriter.WithConfig(tablewriter.Config{Header: header, Row: cells}))
	out.Header(t.Header)
	if err := out.Bulk(t.Rows); err != nil {
		return err
	}
	if err := out.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(buf.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// textual reports whether column i holds words.
func (t Table) textual(i int) bool {
	switch t.Header[i] {
	case "arm", "domain", "prompt", "verdict":
		return true
	}
	return false
}

func (t Table) notes(w io.Writer, before, after string) error {
	for _, n := range t.Notes {
		if _, err := fmt.Fprint(w, before, n, after); err != nil {
			return err
		}
	}
	return nil
}
