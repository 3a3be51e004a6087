package plot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foretoken/results"
)

// parity draws a matrix: in each cell how many requests of an arm and a domain
// gave the control's tokens.
func parity(s results.Summary) (figure, bool) {
	var arms []results.ArmSummary
	var left vg.Length
	for _, a := range s.Arms {
		if !a.Arm.Control() {
			arms = append(arms, a)
			left = max(left, style(tickSize, ink).Width(a.Label))
		}
	}
	if len(arms) == 0 {
		return figure{}, false
	}
	const cellW, cellH = vg.Length(84), vg.Length(22)
	left += vg.Points(10)
	note := "requests whose every token is the control's / requests\n" +
		"grey: sampled under a rule that keeps the law and not the draw, so equality is not expected"
	width := max(left+vg.Length(len(s.Domains))*cellW, 5.6*vg.Inch)
	f := figure{name: "parity", width: width + 2*margin,
		height: vg.Length(len(arms))*cellH + vg.Points(28+22) + noteHeight(note, width) + 2*margin}
	f.draw = func(c draw.Canvas) error {
		c = heading(draw.Crop(c, margin, -margin, margin, -margin), "Token parity with plain decoding")
		footer(c, nil, note)
		for j, d := range s.Domains {
			put(c, style(labelSize, ink), draw.XCenter, c.Min.X+left+(vg.Length(j)+.5)*cellW, c.Max.Y-vg.Points(8), d)
		}
		for i, a := range arms {
			top := c.Max.Y - vg.Points(22) - vg.Length(i)*cellH
			put(c, style(tickSize, ink), draw.XRight, c.Min.X+left-vg.Points(10), top-cellH/2, a.Label)
			for j, d := range s.Domains {
				count := results.CountParity(a.Parity, d)
				fill, letters := cellColours(count)
				x := c.Min.X + left + vg.Length(j)*cellW
				box := vg.Rectangle{Min: vg.Point{X: x + 1, Y: top - cellH + 1}, Max: vg.Point{X: x + cellW - 1, Y: top - 1}}
				c.SetColor(fill)
				c.Fill(box.Path())
				put(c, style(tickSize, letters), draw.XCenter, x+cellW/2, top-cellH/2, cellText(count))
			}
		}
		return nil
	}
	return f, true
}

func cellText(c results.ParityCount) string {
	if c.Paired() == 0 {
		return "-"
	}
	return fmt.Sprintf("%d / %d", c.Equal, c.Paired())
}

// cellColours is blue for parity, vermilion for its lack, grey where there is
// nothing to expect.
func cellColours(c results.ParityCount) (fill, letters color.Color) {
	switch {
	case c.Differs > 0:
		return colours[1], white
	case c.LawOnly > 0 || c.Paired() == 0:
		return faint, ink
	}
	return colours[0], white
}

func put(c draw.Canvas, s draw.TextStyle, align draw.XAlignment, x, y vg.Length, txt string) {
	s.XAlign, s.YAlign = align, draw.YCenter
	c.FillText(s, vg.Point{X: x, Y: y}, txt)
}
