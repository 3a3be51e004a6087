package plot

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foretoken/results"
)

// A Matrix is a table of verdicts, drawn with a colour for each.
type Matrix struct {
	Name          string // of the files
	Title, Note   string
	Rows, Columns []string
	Cells         [][]Cell // by row
}

// A Cell is one verdict.
type Cell struct {
	Text string
	Tone Tone
}

// A Tone is what a verdict says.
type Tone int

// What a verdict can say.
const (
	Neutral Tone = iota // nothing was to be expected
	Good
	Bad
)

// WriteMatrix draws m into a folder, as SVG and PNG, and returns their paths.
func WriteMatrix(dir string, m Matrix) ([]string, error) { return m.figure().write(dir) }

// figure draws m: blue is good, vermilion bad, grey neither.
func (m Matrix) figure() figure {
	const cellH = vg.Length(22)
	var left vg.Length
	for _, r := range m.Rows {
		left = max(left, style(tickSize, ink).Width(r))
	}
	cellW := vg.Length(84)
	for _, text := range slices.Concat(m.Columns, m.texts()) {
		cellW = max(cellW, style(labelSize, ink).Width(text)+vg.Points(12))
	}
	left += vg.Points(10)
	width := max(left+vg.Length(len(m.Columns))*cellW, 5.6*vg.Inch)
	f := figure{name: m.Name, width: width + 2*margin,
		height: vg.Length(len(m.Rows))*cellH + vg.Points(28+22) + noteHeight(m.Note, width) + 2*margin}
	f.draw = func(c draw.Canvas) error {
		c = heading(draw.Crop(c, margin, -margin, margin, -margin), m.Title)
		footer(c, nil, m.Note)
		for j, name := range m.Columns {
			put(c, style(labelSize, ink), draw.XCenter, c.Min.X+left+(vg.Length(j)+.5)*cellW, c.Max.Y-vg.Points(8), name)
		}
		for i, name := range m.Rows {
			top := c.Max.Y - vg.Points(22) - vg.Length(i)*cellH
			put(c, style(tickSize, ink), draw.XRight, c.Min.X+left-vg.Points(10), top-cellH/2, name)
			for j, cell := range m.Cells[i] {
				fill, letters := cell.Tone.colours()
				x := c.Min.X + left + vg.Length(j)*cellW
				box := vg.Rectangle{Min: vg.Point{X: x + 1, Y: top - cellH + 1}, Max: vg.Point{X: x + cellW - 1, Y: top - 1}}
				c.SetColor(fill)
				c.Fill(box.Path())
				put(c, style(tickSize, letters), draw.XCenter, x+cellW/2, top-cellH/2, cell.Text)
			}
		}
		return nil
	}
	return f
}

func (m Matrix) texts() (texts []string) {
	for _, row := range m.Cells {
		for _, c := range row {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

func (t Tone) colours() (fill, letters color.Color) {
	switch t {
	case Good:
		return colours[0], white
	case Bad:
		return colours[1], white
	}
	return faint, ink
}

// write draws f into a folder, its SVG before its PNG.
func (f figure) write(dir string) (paths []string, err error) {
	for _, format := range []struct {
		ext    string
		encode func(figure) ([]byte, error)
	}{{".svg", figure.svg}, {".png", figure.png}} {
		path := filepath.Join(dir, f.name+format.ext)
		data, err := format.encode(f)
		if err == nil {
			err = results.WriteFile(path, data)
		}
		if err != nil {
			return paths, fmt.Errorf("plot: %s: %w", path, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}
