package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// operands holds a command to the arguments of its Use line: NAME has to be there,
// [NAME] need not, and none is empty but a PROMPT, which says so itself.
func operands(c *cobra.Command, args []string) error {
	var names []string
	least := 0
	for _, word := range strings.Fields(c.Use)[1:] {
		if !strings.HasPrefix(word, "[") {
			least++
		}
		names = append(names, word)
	}
	if least <= len(args) && len(args) <= len(names) {
		for i, arg := range args {
			if name := strings.Trim(names[i], "[]"); arg == "" && name != "PROMPT" { // an unset variable of a script
				return wrong("%s: %s is empty; see %s --help", c.Name(), name, c.CommandPath())
			}
		}
		return nil
	}
	want := "no arguments"
	if len(names) > 0 {
		want = strings.Join(names, " ")
	}
	return wrong("%s: want %s, have %s; see %s --help", c.Name(), want, given(args), c.CommandPath())
}

// hold has every command below c keep to its Use line, and one that only groups others
// refuse what is none of them.
func hold(c *cobra.Command) {
	for _, sub := range c.Commands() {
		sub.Args = operands
		if !sub.Runnable() {
			sub.Args = cobra.ArbitraryArgs
			sub.RunE = func(c *cobra.Command, args []string) error {
				if len(args) > 0 {
					return wrong("unknown command %q; see %s --help", args[0], c.CommandPath())
				}
				return c.Help()
			}
		}
		hold(sub)
	}
}

// checkWords refuses what every command would misread: text that is not UTF-8, and a zero
// that was typed where it would stand for the default.
func checkWords(c *cobra.Command, args []string) (err error) {
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return wrong("%s: %q is not UTF-8 text", c.Name(), arg)
		}
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case !utf8.ValidString(strings.Join(values(f), "")):
			err = wrong("%s: --%s %q is not UTF-8 text", c.Name(), f.Name, f.Value)
		case slices.Contains([]string{"limit", "max-tokens"}, f.Name) && f.Value.String() == "0":
			err = wrong("%s: --%s 0, want at least 1", c.Name(), f.Name)
		}
	})
	return err
}

func given(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q", args)
}

// flagError says in the tool's words what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	var (
		value   *pflag.InvalidValueError
		none    *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &value):
		return wrong("%s: %s %q, want %s", c.Name(), flagName(value.GetFlag()), value.GetValue(), flagWants(value.GetFlag()))
	case errors.As(err, &none):
		return wrong("%s: %s has no value, want %s", c.Name(), flagName(none.GetFlag()), flagWants(none.GetFlag()))
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = "-" + short
		}
		return wrong("unknown flag %s; see %s --help", name, c.CommandPath())
	case errors.As(err, &syntax):
		return wrong("%s: %q, want a flag: --name=value", c.Name(), syntax.GetSpecifiedFlag())
	}
	return badInput{err}
}

func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + " (--" + f.Name + ")"
	}
	return "--" + f.Name
}

// flagWants says what values of a flag are, by pflag's names of the types.
func flagWants(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "intSlice":
		return "whole numbers with commas between them"
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "float32", "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "stringSlice":
		return "words with commas between them"
	}
	return "text"
}

// unknownCommand says it in a line where err is cobra's, which has no type.
func unknownCommand(root *cobra.Command, err error) error {
	var word string
	if err == nil || errors.As(err, new(badInput)) {
		return err
	}
	if n, _ := fmt.Sscanf(err.Error(), "unknown command %q", &word); n == 0 {
		return err
	}
	if near := root.SuggestionsFor(word); len(near) > 0 {
		return wrong("unknown command %q, did you mean %s?", word, strings.Join(near, " or "))
	}
	return wrong("unknown command %q; see %s --help", word, root.Name())
}

// helpCommand is cobra's, but for a command that there is not.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(c *cobra.Command, args []string) error {
			about, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
