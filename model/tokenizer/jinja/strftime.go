package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// directives are those of C's strftime in the C locale, as Go's layouts or by hand.
var layouts = map[byte]string{
	'Y': "2006", 'b': "Jan", 'h': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'p': "PM", 'P': "pm", 'z': "", 'Z': "",
	'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06", 'x': "01/02/06", 'X': "15:04:05", 'r': "03:04:05 PM", 'c': "Mon Jan _2 15:04:05 2006",
	'f': "000000", 'n': "\n", 't': "\t", '%': "%",
}

// numbersOf are the directives that are numbers: what they count, and to how many
// places they are filled, with blanks where the number is negative.
var numbersOf = map[byte]struct {
	of    func(time.Time) int
	width int
}{
	'd': {time.Time.Day, 2}, 'e': {time.Time.Day, -2}, 'm': {func(t time.Time) int { return int(t.Month()) }, 2},
	'y': {func(t time.Time) int { return t.Year() % 100 }, 2}, 'C': {func(t time.Time) int { return t.Year() / 100 }, 2},
	'H': {time.Time.Hour, 2}, 'k': {time.Time.Hour, -2}, 'I': {hour12, 2}, 'l': {hour12, -2},
	'M': {time.Time.Minute, 2}, 'S': {time.Time.Second, 2}, 'j': {time.Time.YearDay, 3},
	'w': {func(t time.Time) int { return int(t.Weekday()) }, 1},
	'u': {func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }, 1},
	'U': {func(t time.Time) int { return (t.YearDay() + 6 - int(t.Weekday())) / 7 }, 2},
	'W': {func(t time.Time) int { return (t.YearDay() + 6 - (int(t.Weekday())+6)%7) / 7 }, 2},
	'G': {func(t time.Time) int { y, _ := t.ISOWeek(); return y }, 4},
	'V': {func(t time.Time) int { _, w := t.ISOWeek(); return w }, 2},
	's': {func(t time.Time) int { return int(t.Unix()) }, 1},
}

func hour12(t time.Time) int { return (t.Hour()+11)%12 + 1 }

// strftime formats as Python's datetime without a zone. A flag before a letter says how
// it is filled ("-": not at all) or written ("^": in capitals). What is no directive
// stays as it is.
func strftime(t time.Time, format string) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		text, n := format[i:i+1], 0
		if format[i] == '%' {
			if d, length := directive(t, format[i+1:]); length > 0 {
				text, n = d, length
			}
		}
		b.WriteString(text)
		i += n
	}
	return b.String()
}

// directive writes the directive that s begins with; 0 where there is none.
func directive(t time.Time, s string) (string, int) {
	flag, letter := byte(0), 0
	if s != "" && strings.IndexByte("-_0^#", s[0]) >= 0 {
		flag, letter = s[0], 1
	}
	if letter == len(s) {
		return "", 0
	}
	if n, ok := numbersOf[s[letter]]; ok {
		return number(n.of(t), n.width, flag), letter + 1
	}
	layout, ok := layouts[s[letter]]
	if !ok {
		return "", 0
	}
	text := layout
	if strings.IndexByte("fnt%", s[letter]) < 0 {
		text = t.Format(layout)
	} else if s[letter] == 'f' {
		text = fmt.Sprintf("%06d", t.Nanosecond()/1000)
	}
	if flag == '^' {
		text = strings.ToUpper(text)
	}
	return text, letter + 1
}

func number(n, width int, flag byte) string {
	text := strconv.Itoa(n)
	fill := "0"
	if width < 0 {
		fill, width = " ", -width
	}
	switch flag {
	case '-':
		return text
	case '_':
		fill = " "
	case '0':
		fill = "0"
	}
	return strings.Repeat(fill, max(width-len(text), 0)) + text
}
