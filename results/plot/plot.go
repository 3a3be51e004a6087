// Package plot draws the pictures of a run, each as SVG and PNG.
package plot

import (
	"bytes"

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

// Write draws every picture of a summary into a folder and returns their paths,
// the SVG of each before its PNG. A picture without data is left out.
func Write(dir string, s results.Summary) ([]string, error) {
	var paths []string
	for _, make := range []func(results.Summary) (figure, bool){acceptance, tokensPerRound, speedup, parity} {
		f, ok := make(s)
		if !ok {
			continue
		}
		some, err := f.write(dir)
		if paths = append(paths, some...); err != nil {
			return paths, err
		}
	}
	return paths, nil
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
