package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// both draws two marks over each other in a legend.
type both [2]plot.Thumbnailer

// Thumbnail implements plot.Thumbnailer.
func (b both) Thumbnail(c *draw.Canvas) {
	b[0].Thumbnail(c)
	b[1].Thumbnail(c)
}

// legendMark is a mark alone.
type legendMark struct{ draw.GlyphStyle }

// Thumbnail implements plot.Thumbnailer.
func (m legendMark) Thumbnail(c *draw.Canvas) { c.DrawGlyph(m.GlyphStyle, c.Center()) }

// hollow is a shape with a white middle: a point that the data do not resolve.
type hollow struct{ of draw.GlyphDrawer }

// DrawGlyph implements draw.GlyphDrawer.
func (h hollow) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	outer, inner := s, s
	outer.Radius, outer.Shape = s.Radius+vg.Points(.4), h.of
	inner.Radius, inner.Shape, inner.Color = s.Radius-vg.Points(1.2), h.of, white
	c.DrawGlyph(outer, at)
	c.DrawGlyph(inner, at)
}
