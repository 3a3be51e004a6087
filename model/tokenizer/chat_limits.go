package tokenizer

import (
	"errors"
	"fmt"

	"github.com/nikolalohinski/gonja/v2/builtins"
	structures "github.com/nikolalohinski/gonja/v2/builtins/control_structures"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/parser"
)

// What a template may do, far above what any needs. A checkpoint's template is
// foreign code, and one that calls itself for ever would take the process with it: a
// stack that is used up is no panic that could be caught.
const (
	mostSource = 1 << 17 // bytes
	mostDepth  = 100     // macros within each other, and brackets
	mostRange  = 1 << 16 // numbers of all ranges of a rendering
)

// limits are of one rendering.
type limits struct {
	calls, numbers int
	err            error // the one that was passed, which the library wraps call by call
}

func (l *limits) passed(format string, args ...any) error {
	l.err = fmt.Errorf(format, args...)
	return l.err
}

// structures are what chat templates are made of. Blocks and other files are not
// among them: each can lead back to itself.
func (l *limits) structures() *exec.ControlStructureSet {
	set := map[string]parser.ControlStructureParser{}
	for _, name := range []string{"autoescape", "filter", "for", "if", "macro", "raw", "set", "with", "do", "break", "continue", "call"} {
		set[name], _ = builtins.ControlStructures.Get(name)
	}
	set["for"] = loop(set["for"])
	set["macro"] = l.macro(set["macro"])
	return exec.NewControlStructureSet(set)
}

func loop(parse parser.ControlStructureParser) parser.ControlStructureParser {
	return func(p, args *parser.Parser) (nodes.ControlStructure, error) {
		s, err := parse(p, args)
		if f, ok := s.(*structures.ForControlStructure); ok && f.Recursive {
			return nil, errors.New("recursive loops are not supported")
		}
		return s, err
	}
}

func (l *limits) macro(parse parser.ControlStructureParser) parser.ControlStructureParser {
	return func(p, args *parser.Parser) (nodes.ControlStructure, error) {
		s, err := parse(p, args)
		if m, ok := s.(*structures.MacroControlStructure); ok {
			return &macro{m, l}, err
		}
		return s, err
	}
}

// A macro counts the calls of it that are under way.
type macro struct {
	*structures.MacroControlStructure
	*limits
}

func (m *macro) Execute(r *exec.Renderer, tag *nodes.ControlStructureBlock) error {
	if err := m.MacroControlStructure.Execute(r, tag); err != nil {
		return err
	}
	f, _ := r.Environment.Context.Get(m.Name)
	call, ok := f.(exec.Macro)
	if !ok {
		return fmt.Errorf("macro %s is no macro but %T", m.Name, f)
	}
	r.Environment.Context.Set(m.Name, exec.Macro(func(params *exec.VarArgs) *exec.Value {
		if m.calls++; m.calls > mostDepth {
			return exec.AsValue(m.passed("macro %s: more than %d calls within each other", m.Name, mostDepth))
		}
		defer func() { m.calls-- }()
		return call(params)
	}))
	return nil
}

// numbersOf is Python's range.
func (l *limits) numbersOf(_ *exec.Evaluator, params *exec.VarArgs) ([]int, error) {
	var args []int
	for _, a := range params.Args {
		if !a.IsInteger() {
			return nil, fmt.Errorf("range: %v, want integers", a)
		}
		args = append(args, a.Integer())
	}
	from, to, step := 0, 0, 1
	switch len(args) {
	case 1:
		to = args[0]
	case 2:
		from, to = args[0], args[1]
	case 3:
		from, to, step = args[0], args[1], args[2]
	default:
		return nil, fmt.Errorf("range: %d arguments, want 1 to 3", len(args))
	}
	if step == 0 {
		return nil, errors.New("range: a step of 0")
	}
	var numbers []int
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if l.numbers++; l.numbers > mostRange {
			return nil, l.passed("range: more than %d numbers in a rendering", mostRange)
		}
		numbers = append(numbers, i)
	}
	return numbers, nil
}

// bounded refuses source that the library's parser would use up its stack on.
func bounded(source string) error {
	if len(source) > mostSource {
		return fmt.Errorf("%d bytes, want at most %d", len(source), mostSource)
	}
	depth := 0
	for _, c := range source {
		switch c {
		case '(', '[', '{':
			if depth++; depth > mostDepth {
				return fmt.Errorf("more than %d brackets within each other", mostDepth)
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return nil
}
