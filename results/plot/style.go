package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colours are Okabe and Ito's, which people with any colour vision tell apart;
// shapes and dashes repeat what they say.
var (
	colours = []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
		color.RGBA{0x33, 0x33, 0x33, 0xff},
	}
	shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}}

	white = color.White
	ink   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	soft  = color.RGBA{0x77, 0x77, 0x77, 0xff}
	faint = color.RGBA{0xe4, 0xe4, 0xe4, 0xff}
)

const (
	titleSize = 14
	labelSize = 11.5
	tickSize  = 10.5
	noteSize  = 9.5
)

func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

func style(size float64, c color.Color) draw.TextStyle {
	return draw.TextStyle{Color: c, Font: sans(size), Handler: text.Plain{Fonts: font.DefaultCache}}
}

// newPlot returns an empty panel in the house style.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle = style(labelSize+.5, ink)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(labelSize), ink
		a.Label.Padding = vg.Points(4)
		a.Tick.Label.Font, a.Tick.Label.Color = sans(tickSize), ink
		a.Color, a.Tick.Color = soft, soft
		a.Width, a.Tick.Width = vg.Points(.8), vg.Points(.8)
		a.Tick.Length = vg.Points(4)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color, grid.Horizontal.Width = faint, vg.Points(.8)
	p.Add(grid)
	return p
}

// pale mixes a colour with white.
func pale(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(x uint32) uint8 { return uint8((x>>8)/2 + 127) }
	return color.RGBA{mix(r), mix(g), mix(b), 0xff}
}

// ticks are at given values.
func ticks(format func(float64) string, values ...float64) plot.ConstantTicks {
	var out plot.ConstantTicks
	for _, v := range values {
		out = append(out, plot.Tick{Value: v, Label: format(v)})
	}
	return out
}

// thinned are ticks at whole values, of which those without room have no label.
func thinned(values []float64, low, high float64) plot.ConstantTicks {
	const room = panelWidth - 52*vg.Length(1) // what the axis of values leaves
	out, last := ticks(plain, values...), vg.Length(-1000)
	text := style(tickSize, ink)
	for i, t := range out {
		at, half := room*vg.Length((t.Value-low)/(high-low)), text.Width(t.Label)/2
		if at-half < last+vg.Points(4) {
			out[i].Label = ""
			continue
		}
		last = at + half
	}
	return out
}

// unique sorts values and leaves each once.
func unique(values []float64) []float64 {
	slices.Sort(values)
	return slices.Compact(values)
}

// none is no level.
var none = math.NaN()

func plain(v float64) string   { return strconv.FormatFloat(v, 'f', -1, 64) }
func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

// steps are about five round values that cover [low, high].
func steps(low, high float64) []float64 {
	raw := (high - low) / 5
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if m*unit >= raw {
			unit *= m
			break
		}
	}
	var out []float64
	for i := math.Floor(low/unit + 1e-9); ; i++ {
		v := math.Round(i*unit*1e9) / 1e9
		out = append(out, v)
		if v >= high-1e-9 {
			return out
		}
	}
}
