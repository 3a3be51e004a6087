package jsonmask

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
)

// A pattern is a regular expression searched for in a string, over code points,
// as the set of places that its program can be at. Set 0 is the start.
type pattern struct {
	prog  *syntax.Prog
	left  []int // per instruction, the fewest code points to a match
	seeks bool  // a match may begin anywhere
	sets  []patternSet
	index map[string]int32
}

type patternSet struct {
	pcs     []uint32 // instructions that take a code point
	matched bool     // whatever follows
	atEnd   bool     // matched if the string ends here
	next    map[rune]int32
}

// newPattern compiles expr in the syntax of package regexp. Word boundaries and
// line anchors are refused.
func newPattern(expr string) (*pattern, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", expr, err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", expr, err)
	}
	const known = syntax.EmptyBeginText | syntax.EmptyEndText
	for _, i := range prog.Inst {
		if i.Op == syntax.InstEmptyWidth && syntax.EmptyOp(i.Arg)&^known != 0 {
			return nil, fmt.Errorf("pattern %q: word boundaries and line anchors are not supported", expr)
		}
	}
	p := &pattern{prog: prog, index: map[string]int32{}}
	p.distances()
	p.seeks = len(p.closure([]uint32{uint32(prog.Start)}, false).pcs) > 0
	p.intern(p.closure([]uint32{uint32(prog.Start)}, true))
	return p, nil
}

// distances fills left by relaxation.
func (p *pattern) distances() {
	p.left = make([]int, len(p.prog.Inst))
	for i := range p.left {
		p.left[i] = math.MaxInt / 2
	}
	for changed := true; changed; {
		changed = false
		for pc, i := range p.prog.Inst {
			d := p.left[i.Out] + 1
			switch i.Op {
			case syntax.InstMatch:
				d = 0
			case syntax.InstFail:
				continue
			case syntax.InstAlt, syntax.InstAltMatch:
				d = min(p.left[i.Out], p.left[i.Arg])
			case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
				d = p.left[i.Out]
			}
			if d < p.left[pc] {
				p.left[pc], changed = d, true
			}
		}
	}
}

// closure follows what takes no code point from pcs.
func (p *pattern) closure(pcs []uint32, atStart bool) patternSet {
	var set patternSet
	p.walk(pcs, atStart, false, func(pc uint32) {
		if p.prog.Inst[pc].Op == syntax.InstMatch {
			set.matched = true
		} else {
			set.pcs = append(set.pcs, pc)
		}
	})
	p.walk(pcs, atStart, true, func(pc uint32) {
		set.atEnd = set.atEnd || p.prog.Inst[pc].Op == syntax.InstMatch
	})
	if set.matched {
		return patternSet{matched: true, atEnd: true}
	}
	slices.Sort(set.pcs)
	return set
}

func (p *pattern) walk(pcs []uint32, atStart, atEnd bool, visit func(pc uint32)) {
	seen, stack := make([]bool, len(p.prog.Inst)), slices.Clone(pcs)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := p.prog.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, i.Out)
		case syntax.InstEmptyWidth:
			op := syntax.EmptyOp(i.Arg)
			if (op&syntax.EmptyBeginText == 0 || atStart) && (op&syntax.EmptyEndText == 0 || atEnd) {
				stack = append(stack, i.Out)
			}
		case syntax.InstFail:
		default:
			visit(pc)
		}
	}
}

func (p *pattern) intern(set patternSet) int32 {
	key := make([]byte, 0, 4*len(set.pcs)+1)
	for _, pc := range set.pcs {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	if set.matched {
		key = append(key, 2)
	} else if set.atEnd {
		key = append(key, 1)
	}
	if i, ok := p.index[string(key)]; ok {
		return i
	}
	set.next = map[rune]int32{}
	p.sets = append(p.sets, set)
	p.index[string(key)] = int32(len(p.sets) - 1)
	return int32(len(p.sets) - 1)
}

// step returns the set after r, and false where no match can follow.
func (p *pattern) step(s int32, r rune) (int32, bool) {
	set := p.sets[s]
	if set.matched {
		return s, true
	}
	if to, ok := set.next[r]; ok {
		return to, to >= 0
	}
	pcs := []uint32{uint32(p.prog.Start)} // a match may begin anywhere
	for _, pc := range set.pcs {
		if i := &p.prog.Inst[pc]; i.MatchRune(r) {
			pcs = append(pcs, i.Out)
		}
	}
	after, to := p.closure(pcs, false), int32(-1)
	if len(after.pcs) > 0 || after.matched || after.atEnd {
		to = p.intern(after)
	}
	p.sets[s].next[r] = to
	return to, to >= 0
}

// matchesText reports whether a pattern, known to compile, matches text.
func matchesText(expr, text string) bool {
	p, err := newPattern(expr)
	if err != nil {
		return false
	}
	at := int32(0)
	for _, r := range text {
		var ok bool
		if at, ok = p.step(at, r); !ok {
			return false
		}
	}
	return p.sets[at].atEnd
}
