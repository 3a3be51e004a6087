package main

import (
	"fmt"
	"math"
	"slices"

	"foretoken/experiments/bench/decode"
	"foretoken/results/plot"
	"foretoken/stat"
)

// textPicture has an arm a row and a domain a column.
func textPicture(name string, c decode.TextComparison) plot.Matrix {
	m := plot.Matrix{Name: "texts", Title: "Greedy text with " + name, Columns: append(slices.Clone(c.Domains), "all domains"),
		Note: "times as fast as " + c.Base + "; in brackets 95 %; blue: faster on every text, vermilion: slower on every text"}
	for _, a := range c.Arms {
		m.Rows = append(m.Rows, a.Name)
		row := make([]plot.Cell, 0, len(m.Columns))
		for i := range a.Times {
			row = append(row, speedCell(stat.Speedup.Interval(a.Times[i]), a.Times[i].Value, a.Always[i]))
		}
		m.Cells = append(m.Cells, append(row, speedCell(stat.Speedup.Interval(a.All), a.All.Value, a.AllAlways)))
	}
	return m
}

func speedCell(text string, value float64, always bool) plot.Cell {
	c := plot.Cell{Text: text}
	switch {
	case !always || math.IsNaN(value):
	case value > 1:
		c.Tone = plot.Good
	default:
		c.Tone = plot.Bad
	}
	return c
}

// decodePicture has an arm a row and a task a column: blue is slower than the first
// arm of the task in every round, vermilion faster.
func decodePicture(name string, cs []decode.Comparison) plot.Matrix {
	m := plot.Matrix{Name: "decode", Title: "Decoding with " + name, Note: "milliseconds, and times the first arm of the column; blue: slower than it in every round, vermilion: faster in every round"}
	for _, c := range cs {
		if !slices.Contains(m.Rows, c.Arm) {
			m.Rows = append(m.Rows, c.Arm)
		}
		if !slices.Contains(m.Columns, c.Task) {
			m.Columns = append(m.Columns, c.Task)
		}
	}
	for range m.Rows {
		m.Cells = append(m.Cells, make([]plot.Cell, len(m.Columns)))
	}
	for _, c := range cs {
		cell := plot.Cell{Text: fmt.Sprintf("%.2f (%.2fx)", c.MS, c.First.Value)}
		switch {
		case c.First.Low > 1:
			cell.Tone = plot.Good
		case c.First.High < 1:
			cell.Tone = plot.Bad
		}
		m.Cells[slices.Index(m.Rows, c.Arm)][slices.Index(m.Columns, c.Task)] = cell
	}
	return m
}
