package plot

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foretoken/results"
)

// parity draws in each cell how many requests of an arm and a domain gave the
// control's tokens.
func parity(s results.Summary) (figure, bool) {
	m := Matrix{Name: "parity", Title: "Token parity with plain decoding", Columns: s.Domains,
		Note: "requests whose every token is the control's / requests\n" +
			"grey: sampled under a rule that keeps the law and not the draw, so equality is not expected"}
	for _, a := range s.Arms {
		if a.Arm.Control() {
			continue
		}
		m.Rows = append(m.Rows, a.Label)
		var cells []Cell
		for _, d := range s.Domains {
			cells = append(cells, parityCell(results.CountParity(a.Parity, d)))
		}
		m.Cells = append(m.Cells, cells)
	}
	return m.figure(), len(m.Rows) > 0
}

func parityCell(c results.ParityCount) Cell {
	text := fmt.Sprintf("%d / %d", c.Equal, c.Paired())
	switch {
	case c.Paired() == 0:
		return Cell{"-", Neutral}
	case c.Differs > 0:
		return Cell{text, Bad}
	case c.LawOnly > 0:
		return Cell{text, Neutral}
	}
	return Cell{text, Good}
}

func put(c draw.Canvas, s draw.TextStyle, align draw.XAlignment, x, y vg.Length, txt string) {
	s.XAlign, s.YAlign = align, draw.YCenter
	c.FillText(s, vg.Point{X: x, Y: y}, txt)
}
