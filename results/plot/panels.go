package plot

import (
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a picture of panels.
const (
	panelWidth  = 3.1 * vg.Inch
	panelHeight = 2.7 * vg.Inch
	margin      = vg.Length(14)
)

// A legendEntry says what a mark in the panels is.
type legendEntry struct {
	name string
	mark plot.Thumbnailer
}

// panels is a picture of plots side by side under one title, with one legend
// below them, so that it lies over no data.
func panels(name, title, note string, plots []*plot.Plot, legend []legendEntry) figure {
	cols := min(3, len(plots))
	rows := (len(plots) + cols - 1) / cols
	width := max(vg.Length(cols)*panelWidth, 2*panelWidth)
	for _, e := range legend { // a long name makes the picture wider
		width = max(width, entryWidth(e)+2*margin)
	}
	lines := legendRows(legend, width-2*margin)
	foot := vg.Length(len(lines))*vg.Points(18) + noteHeight(note, width)
	f := figure{name: name, width: width + 2*margin, height: vg.Length(rows)*(panelHeight+titleRoom(plots)) + foot + vg.Points(30) + 2*margin}
	f.draw = func(c draw.Canvas) error {
		c = draw.Crop(c, margin, -margin, margin, -margin)
		c = heading(c, title)
		footer(c, lines, note)
		body := draw.Crop(c, 0, 0, foot+vg.Points(4), 0)
		grid := make([][]*plot.Plot, rows)
		for r := range grid {
			grid[r] = make([]*plot.Plot, cols)
			copy(grid[r], plots[r*cols:min((r+1)*cols, len(plots))])
		}
		tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: vg.Points(16), PadY: vg.Points(12)}
		for r, row := range plot.Align(grid, tiles, body) {
			for i, at := range row {
				if grid[r][i] != nil {
					grid[r][i].Draw(at)
				}
			}
		}
		return nil
	}
	return f
}

// heading writes a title at the top left and returns what is left below it.
func heading(c draw.Canvas, title string) draw.Canvas {
	s := style(titleSize, ink)
	s.YAlign = draw.YTop
	c.FillText(s, vg.Point{X: c.Min.X, Y: c.Max.Y}, title)
	return draw.Crop(c, 0, 0, 0, -vg.Points(28))
}

// footer draws the legend's lines, centred, and the note under them.
func footer(c draw.Canvas, lines [][]legendEntry, note string) {
	width := c.Max.X - c.Min.X
	height := noteHeight(note, width)
	y := c.Min.Y + height + vg.Length(len(lines))*vg.Points(18)
	for _, line := range lines {
		y -= vg.Points(18)
		x := c.Center().X - lineWidth(line)/2
		for _, e := range line {
			thumb := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y + vg.Points(3)}, Max: vg.Point{X: x + thumbWidth, Y: y + vg.Points(13)}}}
			e.mark.Thumbnail(&thumb)
			s := style(labelSize, ink)
			s.YAlign = draw.YCenter
			c.FillText(s, vg.Point{X: x + thumbWidth + vg.Points(5), Y: y + vg.Points(8)}, e.name)
			x += entryWidth(e)
		}
	}
	for i, line := range wrap(note, width) {
		s := style(noteSize, soft)
		s.YAlign = draw.YTop
		c.FillText(s, vg.Point{X: c.Min.X, Y: c.Min.Y + height - vg.Points(6) - vg.Length(i)*vg.Points(12)}, line)
	}
}

const thumbWidth = vg.Length(26)

func entryWidth(e legendEntry) vg.Length {
	return thumbWidth + vg.Points(5) + style(labelSize, ink).Width(e.name) + vg.Points(18)
}

func lineWidth(line []legendEntry) vg.Length {
	var w vg.Length
	for _, e := range line {
		w += entryWidth(e)
	}
	return w - vg.Points(18)
}

// legendRows breaks a legend into lines that fit.
func legendRows(entries []legendEntry, width vg.Length) [][]legendEntry {
	var lines [][]legendEntry
	for _, e := range entries {
		if n := len(lines); n > 0 && lineWidth(append(lines[n-1 : n : n][0], e)) <= width {
			lines[n-1] = append(lines[n-1], e)
			continue
		}
		lines = append(lines, []legendEntry{e})
	}
	return lines
}

func noteHeight(note string, width vg.Length) vg.Length {
	return vg.Length(len(wrap(note, width)))*vg.Points(12) + vg.Points(6)
}

// wrap breaks a note into lines that fit.
func wrap(note string, width vg.Length) []string { return wrapIn(style(noteSize, soft), note, width) }

// wrapIn breaks text at spaces, and a word that is wider than a line where it has to.
func wrapIn(s draw.TextStyle, text string, width vg.Length) []string {
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(part) {
			if longer := strings.TrimSpace(line + " " + word); s.Width(longer) <= width {
				line = longer
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			for line = word; s.Width(line) > width; {
				n := fitting(s, line, width)
				lines, line = append(lines, line[:n]), line[n:]
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// fitting is the number of bytes of a word that fit a line, at least one letter: up to the
// last mark within it, where there is one.
func fitting(s draw.TextStyle, word string, width vg.Length) int {
	_, most := utf8.DecodeRuneInString(word)
	for i := range word {
		if i > most && s.Width(word[:i]) <= width {
			most = i
		}
	}
	if at := strings.LastIndexAny(word[:most], "-:/._"); at > 0 {
		return at + 1
	}
	return most
}

// wrapped is text in lines of a panel's title.
func wrapped(text string, width vg.Length) string {
	return strings.Join(wrapIn(style(labelSize+.5, ink), text, width), "\n")
}

// titleRoom is what titles of more than a line take.
func titleRoom(plots []*plot.Plot) vg.Length {
	most := 0
	for _, p := range plots {
		most = max(most, strings.Count(p.Title.Text, "\n"))
	}
	return vg.Length(most) * vg.Points(15)
}
