package jinja

import (
	"strings"
	"time"
)

// strftime formats with C's directives, the ones that chat templates use. An
// unknown one stays as it is.
func strftime(t time.Time, format string) string {
	layouts := map[byte]string{
		'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'H': "15", 'I': "03", 'M': "04",
		'S': "05", 'p': "PM", 'A': "Monday", 'a': "Mon", 'B': "January", 'b': "Jan", 'j': "002",
		'F': "2006-01-02", 'T': "15:04:05", 'Z': "MST", 'z': "-0700",
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] == '%' && i+1 < len(format) {
			if layout, ok := layouts[format[i+1]]; ok {
				b.WriteString(t.Format(layout))
				i++
				continue
			}
			if format[i+1] == '%' {
				i++
			}
		}
		b.WriteByte(format[i])
	}
	return b.String()
}
