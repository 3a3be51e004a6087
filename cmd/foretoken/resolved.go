package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foretoken/experiments"
)

// allSettings is the flag of every command that has what is printed first include the
// defaults.
const allSettings = "all-settings"

// flagLine is the command with the flags that were given, as a shell reads it.
func flagLine(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s", c.CommandPath())
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == allSettings || !f.Changed && !all(c) {
			return
		}
		for _, value := range values(f) {
			b.WriteString(" --" + f.Name + "=" + shellWord(value))
		}
	})
	return b.String()
}

func all(c *cobra.Command) bool {
	on, err := c.Flags().GetBool(allSettings)
	return err == nil && on
}

// values are those of a flag: several where it may be repeated.
func values(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok && f.Value.Type() == "stringArray" {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// shellWord writes text as one word of a POSIX shell, with $'...' for control characters.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_-./:,+=@%[]", r)
	}
	switch {
	case s != "" && strings.TrimFunc(s, plain) == "" && !strings.ContainsAny(s, "[]"):
		return s
	case !strings.ContainsFunc(s, unicode.IsControl):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '\'':
			b.WriteString(`\` + string(c))
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// printConfig writes what will be run: the command, and the config without its defaults
// unless they are asked for.
func printConfig(w io.Writer, c *cobra.Command, config experiments.Config) error {
	text := config.Changed()
	if all(c) {
		text = config.YAML()
	}
	_, err := fmt.Fprintf(w, "%s\n%s", flagLine(c), text)
	return err
}
