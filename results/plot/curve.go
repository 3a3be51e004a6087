package plot

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foretoken/results"
)

// A point of a curve, with its interval where it has one.
type point struct {
	x float64
	e results.Estimate
}

// bare is a point without an interval.
func bare(x, y float64) point {
	return point{x, results.Estimate{Value: y, Low: math.NaN(), High: math.NaN()}}
}

// A look is how a curve is drawn: colour and shape by number.
type look struct {
	number int
	dashes []vg.Length
}

// curve adds points to a panel: a line, marks, and bars for the intervals. Where
// some points have an interval, the others are too few prompts to draw a line to:
// they are small faint dots. It returns what stands for the curve in a legend, nil
// if no point has a value.
func curve(p *plot.Plot, points []point, how look) plot.Thumbnailer {
	var xys, few plotter.XYs
	var bars intervals
	for _, pt := range points {
		if math.IsNaN(pt.e.Value) || math.IsInf(pt.e.Value, 0) {
			continue
		}
		xy := plotter.XY{X: pt.x, Y: pt.e.Value}
		if !pt.e.Interval() {
			few = append(few, xy)
			continue
		}
		xys, bars.XYs = append(xys, xy), append(bars.XYs, xy)
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{pt.e.Value - pt.e.Low, pt.e.High - pt.e.Value})
	}
	if len(xys) == 0 {
		xys, few = few, nil
	}
	if len(xys) == 0 {
		return nil
	}
	colour := colours[how.number%len(colours)]
	line, marks, err := plotter.NewLinePoints(xys)
	must(err)
	line.Color, line.Width, line.Dashes = colour, vg.Points(1.6), how.dashes
	marks.Color, marks.Radius, marks.Shape = colour, vg.Points(3), shapes[how.number%len(shapes)]
	if len(bars.XYs) > 0 {
		b, err := plotter.NewYErrorBars(bars)
		must(err)
		b.Color, b.Width, b.CapWidth = colour, vg.Points(1.1), vg.Points(4)
		p.Add(b)
	}
	p.Add(line, marks)
	if len(few) > 0 {
		dots, err := plotter.NewScatter(few)
		must(err)
		dots.Color, dots.Radius, dots.Shape = pale(colour), vg.Points(1.8), draw.CircleGlyph{}
		p.Add(dots)
	}
	return both{line, marks}
}

// must holds that values are numbers, which curve has seen to.
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

// spread moves curve i of n aside a little, so that bars do not cover each other.
func spread(x float64, i, n int, width float64) float64 {
	if n < 2 {
		return x
	}
	return x + width*(float64(i)/float64(n-1)-.5)
}
