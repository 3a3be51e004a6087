// Package plot draws the pictures of a run, each as SVG and PNG.
package plot

import (
	"bytes"
	"path/filepath"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"foretoken/results"
)

// A figure draws itself on a canvas of its own size.
type figure struct {
	name          string // the file's, without what tells the format
	width, height vg.Length
	draw          func(draw.Canvas) error
}

const dpi = 144

// Write draws every picture of a summary into a folder and returns their paths, the SVG of
// each before its PNG, and last pictures.csv, the points that are drawn. A picture without
// data is left out.
func Write(dir string, s results.Summary) ([]string, error) {
	var figures []figure
	var drawn []chart
	for _, make := range []func(results.Summary) chart{acceptance, tokensPerRound, speedup} {
		if c := make(s); c.draws() {
			drawn, figures = append(drawn, c), append(figures, c.figure())
		}
	}
	if f, ok := parity(s); ok {
		figures = append(figures, f)
	}
	var paths []string
	for _, f := range figures {
		some, err := f.write(dir)
		if paths = append(paths, some...); err != nil {
			return paths, err
		}
	}
	if len(drawn) == 0 {
		return paths, nil
	}
	var points bytes.Buffer
	if err := writeCSV(&points, drawn); err != nil {
		return paths, err
	}
	path := filepath.Join(dir, "pictures.csv")
	return append(paths, path), results.WriteFile(path, points.Bytes())
}

func (f figure) svg() ([]byte, error) {
	c := vgsvg.New(f.width, f.height)
	if err := f.paint(draw.New(c)); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	_, err := c.WriteTo(&buf)
	return buf.Bytes(), err
}

func (f figure) png() ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))}
	if err := f.paint(draw.New(c)); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	_, err := c.WriteTo(&buf)
	return buf.Bytes(), err
}

func (f figure) paint(c draw.Canvas) error {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	return f.draw(c)
}
