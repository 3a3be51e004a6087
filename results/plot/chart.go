package plot

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A chart is a picture as data: panels of lines of points. The picture and its CSV are made
// of the same points.
type chart struct {
	name, title string
	xLabel      string
	yLabel      string
	note        string
	panels      []panel
	level       float64              // a thin line at this value, and always in view; NaN: none
	format      func(float64) string // of values
	low, high   float64              // the range of values; both 0: as the points have it
}

// A panel is a small picture of its own.
type panel struct {
	title string
	lines []line
}

// A line has one look and one name in every panel.
type line struct {
	name   string
	look   look
	aside  float64 // moves the marks, so that intervals do not cover each other
	points []point
}

// draws reports whether there is a point to draw.
func (c chart) draws() bool {
	for _, p := range c.panels {
		for _, l := range p.lines {
			for _, at := range l.points {
				if at.drawn() {
					return true
				}
			}
		}
	}
	return false
}

// CSV writes every point that is drawn: bare numbers, empty where there is none.
func (c chart) CSV(w *csv.Writer) error {
	for _, p := range c.panels {
		for _, l := range p.lines {
			for _, at := range l.points {
				if !at.drawn() {
					continue
				}
				if err := w.Write([]string{c.name, p.title, l.name, number(at.x), number(at.e.Value), number(at.e.Low), number(at.e.High), fmt.Sprint(at.e.N), strconv.FormatBool(at.doubtful)}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeCSV writes the points of all charts under one heading.
func writeCSV(out io.Writer, charts []chart) error {
	w := csv.NewWriter(out)
	if err := w.Write([]string{"picture", "panel", "line", "x", "value", "low", "high", "n", "doubtful"}); err != nil {
		return err
	}
	for _, c := range charts {
		if err := c.CSV(w); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// figure lays the chart out.
func (c chart) figure() figure {
	var plots []*plot.Plot
	var legend []legendEntry
	seen := map[string]bool{}
	xs := c.xs()
	for _, p := range c.panels {
		one := newPlot(wrapped(p.title, panelWidth-vg.Points(8)), c.xLabel, c.yLabel)
		if !math.IsNaN(c.level) {
			one.Add(level(c.level, xs))
		}
		for _, l := range p.lines {
			if mark := curve(one, l); mark != nil && !seen[l.name] {
				seen[l.name], legend = true, append(legend, legendEntry{l.name, mark})
			}
		}
		one.X.Min, one.X.Max = xs[0]-.5, xs[len(xs)-1]+.5
		one.X.Tick.Marker = thinned(xs, one.X.Min, one.X.Max)
		plots = append(plots, one)
	}
	c.rangeY(plots)
	return panels(c.name, c.title, c.note, plots, legend)
}

// xs are the places of points, ascending, each once.
func (c chart) xs() []float64 {
	var out []float64
	for _, p := range c.panels {
		for _, l := range p.lines {
			for _, at := range l.points {
				out = append(out, at.x)
			}
		}
	}
	return unique(out)
}

// rangeY gives every panel one range that holds all that is drawn.
func (c chart) rangeY(plots []*plot.Plot) {
	low, high := c.low, c.high
	if low == high {
		var values []float64
		for _, p := range c.panels {
			for _, l := range p.lines {
				for _, at := range l.points {
					values = append(values, at.e.Value, at.e.Low, at.e.High)
				}
			}
		}
		low, high = extent(values, c.level)
	}
	at := steps(low, high)
	slack := 0.0
	if c.low != c.high { // marks at the ends are whole
		slack = .05 * (c.high - c.low)
	}
	for _, p := range plots {
		p.Y.Min, p.Y.Max = at[0]-slack, at[len(at)-1]+slack
		p.Y.Tick.Marker = ticks(c.format, at...)
	}
}

// extent holds all finite values and, where it is one, the level.
func extent(values []float64, level float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range append(values, level) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high-low < .2 {
		high = low + .2
	}
	return low, high
}

// level is a thin line at y.
func level(y float64, xs []float64) *plotter.Line {
	l, err := plotter.NewLine(plotter.XYs{{X: xs[0] - .5, Y: y}, {X: xs[len(xs)-1] + .5, Y: y}})
	must(err)
	l.Color, l.Width = soft, vg.Points(1)
	return l
}
