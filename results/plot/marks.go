package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// both draws two marks over each other in a legend.
type both [2]plot.Thumbnailer

// Thumbnail implements plot.Thumbnailer.
func (b both) Thumbnail(c *draw.Canvas) {
	b[0].Thumbnail(c)
	b[1].Thumbnail(c)
}
