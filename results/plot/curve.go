package plot

import (
	"math"

	"foretoken/stat"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A point of a line, with its interval where it has one.
type point struct {
	x        float64
	e        stat.Interval
	doubtful bool // the interval does not tell it from the level: drawn hollow
}

func (p point) drawn() bool { return !math.IsNaN(p.e.Value) && !math.IsInf(p.e.Value, 0) }

// A look is how a line is drawn: colour and shape by number.
type look struct {
	number int
	dashes []vg.Length
}

// curve adds a line to a panel: marks, bars for the intervals, and a stroke between them.
// Where some points have an interval, the others are of too few prompts to draw a stroke
// to: they are small faint dots. It returns the line's entry in a legend, nil if no point
// has a value.
func curve(p *plot.Plot, l line) plot.Thumbnailer {
	sure, few := sorted(l)
	if len(sure) == 0 {
		sure, few = few, nil
	}
	if len(sure) == 0 {
		return nil
	}
	colour, shape := colours[l.look.number%len(colours)], shapes[l.look.number%len(shapes)]
	stroke, err := plotter.NewLine(xys(sure))
	must(err)
	stroke.Color, stroke.Width, stroke.Dashes = colour, vg.Points(1.6), l.look.dashes
	p.Add(stroke)
	addBars(p, sure, draw.LineStyle{Color: colour, Width: vg.Points(1.1)})
	marks, err := plotter.NewScatter(xys(sure))
	must(err)
	marks.Color, marks.Radius, marks.Shape = colour, vg.Points(3), shape
	marks.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		style := marks.GlyphStyle
		if sure[i].doubtful {
			style.Shape = hollow{shape}
		}
		return style
	}
	p.Add(marks)
	if len(few) > 0 {
		dots, err := plotter.NewScatter(xys(few))
		must(err)
		dots.Color, dots.Radius, dots.Shape = pale(colour), vg.Points(1.8), draw.CircleGlyph{}
		p.Add(dots)
	}
	return both{stroke, legendMark{marks.GlyphStyle}}
}

// sorted divides the points that have a value by whether they have an interval. The marks
// are moved aside.
func sorted(l line) (sure, few []point) {
	for _, at := range l.points {
		if !at.drawn() {
			continue
		}
		at.x += l.aside
		if at.e.Bounded() {
			sure = append(sure, at)
		} else {
			few = append(few, at)
		}
	}
	return sure, few
}

func addBars(p *plot.Plot, points []point, style draw.LineStyle) {
	var bars intervals
	for _, at := range points {
		if at.e.Bounded() {
			bars.XYs = append(bars.XYs, plotter.XY{X: at.x, Y: at.e.Value})
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{at.e.Value - at.e.Low, at.e.High - at.e.Value})
		}
	}
	if len(bars.XYs) == 0 {
		return
	}
	b, err := plotter.NewYErrorBars(bars)
	must(err)
	b.LineStyle, b.CapWidth = style, vg.Points(4)
	p.Add(b)
}

func xys(points []point) plotter.XYs {
	var out plotter.XYs
	for _, at := range points {
		out = append(out, plotter.XY{X: at.x, Y: at.e.Value})
	}
	return out
}

// must holds that values are numbers, which sorted has seen to.
func must(err error) {
	if err != nil {
		panic("plot: " + err.Error())
	}
}

// intervals are the points that have one.
type intervals struct {
	plotter.XYs
	plotter.YErrors
}

// spread is how far line i of n stands aside, over a width.
func spread(i, n int, width float64) float64 {
	if n < 2 {
		return 0
	}
	return width * (float64(i)/float64(n-1) - .5)
}
