package tokenizer

import (
	"errors"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
)

// parseTemplate keeps the template from the file system: it can include nothing.
func parseTemplate(source string, l *limits) (*exec.Template, error) {
	if err := bounded(source); err != nil {
		return nil, err
	}
	c := config.New()
	c.TrimBlocks = true
	const name = "/chat_template"
	loader, err := loaders.NewMemoryLoader(map[string]string{name: leftStrip(source)})
	if err != nil {
		return nil, err
	}
	filters := exec.NewFilterSet(map[string]exec.FilterFunction{}).Update(builtins.Filters)
	if err := filters.Replace("tojson", toJSON); err != nil {
		return nil, err
	}
	methods := builtins.Methods
	methods.Dict = dictMethods()
	return exec.NewTemplate(name, c, loader, &exec.Environment{
		Context:           exec.EmptyContext().Update(builtins.GlobalFunctions).Update(builtins.GlobalVariables).Update(exec.NewContext(templateFunctions)).Update(exec.NewContext(map[string]any{"range": l.numbersOf})),
		Filters:           filters,
		Tests:             builtins.Tests,
		ControlStructures: l.structures(),
		Methods:           methods,
	})
}

// templateFunctions are what transformers adds to Jinja.
var templateFunctions = map[string]any{
	"raise_exception": func(message string) (string, error) { return "", errors.New(message) },
	"strftime_now":    func(format string) string { return strftime(time.Now(), format) },
}

// leftStrip is Jinja's lstrip_blocks: blanks go that stand between the beginning of
// a line and a block or a comment. The library takes also those after a variable.
func leftStrip(source string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(source, '{')
		for at >= 0 && (at+1 == len(source) || !strings.ContainsRune("%{#", rune(source[at+1]))) {
			next := strings.IndexByte(source[at+1:], '{')
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at < 0 {
			return b.String() + source
		}
		text := source[:at]
		end := at + tagLength(source[at:])
		plus := end > at+2 && source[at+2] == '+'
		line := strings.LastIndexByte(text, '\n') + 1
		if source[at+1] != '{' && !plus && (line > 0 || b.Len() == 0) && strings.Trim(text[line:], " \t") == "" {
			text = text[:line]
		}
		b.WriteString(text)
		b.WriteString(source[at:end])
		source = source[end:]
	}
}

// tagLength is the length of the tag that s begins with; quotes may hide its end.
func tagLength(s string) int {
	end := map[byte]string{'%': "%}", '{': "}}", '#': "#}"}[s[1]]
	quote := byte(0)
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case s[1] == '#':
		case quote != 0 && c == '\\':
			i++
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case c == '\'' || c == '"':
			quote = c
			continue
		}
		if strings.HasPrefix(s[i:], end) {
			return i + len(end)
		}
	}
	return len(s)
}

// dictMethods are Python's, in the order of the dictionary; the library sorts.
func dictMethods() *exec.MethodSet[map[string]any] {
	methods := map[string]exec.Method[map[string]any]{}
	for _, name := range []string{"get", "pop", "setdefault", "update", "keys", "values", "items", "copy", "clear"} {
		m, ok := builtins.Methods.Dict.Get(name)
		if !ok {
			continue
		}
		methods[name] = m
		if item, ok := dictItems[name]; ok {
			methods[name] = func(self map[string]any, of *exec.Value, args *exec.VarArgs) (any, error) {
				d, ok := of.Interface().(*exec.Dict)
				if !ok || len(args.Args) > 0 {
					return m(self, of, args)
				}
				list := []any{}
				for _, p := range d.Pairs {
					list = append(list, item(p))
				}
				return list, nil
			}
		}
	}
	return exec.NewMethodSet(methods)
}

var dictItems = map[string]func(*exec.Pair) any{
	"keys":   func(p *exec.Pair) any { return p.Key.String() },
	"values": func(p *exec.Pair) any { return p.Value.Interface() },
	"items":  func(p *exec.Pair) any { return []any{p.Key.String(), p.Value.Interface()} },
}
