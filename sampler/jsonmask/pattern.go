package jsonmask

import (
	"fmt"
	"math"
)

// A pattern is a regular expression searched for in a string, over code points, as
// the states that its program can be in. State 0 is the start.
type pattern struct {
	prog    *patternProgram
	classes *runeClasses
	word    []bool // of classes: \w
	hard    bool   // has assertions beside ^ and $: its states are all known at once

	left     []int  // per instruction, the fewest code points to a match
	plainEnd []bool // per instruction: a match where the string ends, whatever came before
	end      uint32 // the instruction that stands for all such

	states []patternState
	far    map[farStep]int32 // steps where there are many classes
	index  map[string]int32

	sets     []patternSet
	setIndex map[string]int32
	steps    map[setStep]int32
	duties   [][]uint32 // sets of duties; 0 is none
	dutyOf   map[string]uint32
	walker   patternWalk
	work     int // instructions visited
	key      []byte
}

// A patternState is the set that the program is in, and what its assertions know of
// the text so far.
type patternState struct {
	set     int32
	behind  []int32 // sets of the assertions of what came before
	word    bool    // the last code point is of \w
	matched bool    // whatever follows
	atEnd   bool    // matched if the string ends here
	least   int     // code points that a match still takes; noMatch is none
	next    []int32 // by class: 0 unknown, 1 none, state + 2
}

type farStep struct{ state, class int32 }

// noMatch is more code points than any string has.
const noMatch = math.MaxInt / 2

// manyClasses is from where on steps are kept in a map.
const manyClasses = 128

// newPattern compiles expr in the syntax of ECMA-262 with the flag u, as JSON Schema
// wants it. What has no automaton (back references), or one too large, is refused.
func newPattern(expr string) (*pattern, error) {
	p, err := compilePattern(expr)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", shortened(expr), err)
	}
	return p, nil
}

func compilePattern(expr string) (*pattern, error) {
	root, err := parsePattern(expr)
	if err != nil {
		return nil, err
	}
	prog, err := newPatternProgram(root)
	if err != nil {
		return nil, err
	}
	p := &pattern{prog: prog, hard: prog.bounds || prog.aheads || len(prog.behind) > 0,
		index: map[string]int32{}, setIndex: map[string]int32{}}
	if p.hard {
		p.steps, p.duties, p.dutyOf = map[setStep]int32{}, [][]uint32{nil}, map[string]uint32{"": 0}
	}
	if err := p.classify(); err != nil {
		return nil, err
	}
	p.distances()
	p.begin()
	if p.hard {
		return p, p.explore()
	}
	return p, nil
}

// shortened is text for a message.
func shortened(text string) string {
	if r := []rune(text); len(r) > 200 {
		return fmt.Sprintf("%q...", string(r[:200]))
	}
	return fmt.Sprintf("%q", text)
}

func (p *pattern) classify() (err error) {
	var sets []runeSet
	for _, i := range p.prog.insts {
		if i.op == instRunes {
			sets = append(sets, i.runes)
		}
	}
	if p.prog.bounds {
		sets = append(sets, wordRunes)
	}
	if p.classes, err = newRuneClasses(sets); err != nil {
		return err
	}
	p.word = make([]bool, len(p.classes.some))
	for c, r := range p.classes.some {
		p.word[c] = p.prog.bounds && wordRunes.has(r)
	}
	if len(p.word) > manyClasses {
		p.far = map[farStep]int32{}
	}
	return nil
}

// step returns the state after r, and false where no match can follow.
func (p *pattern) step(s int32, r rune) (int32, bool) { return p.stepClass(s, p.classes.of(r)) }

func (p *pattern) stepClass(s, class int32) (int32, bool) {
	at := &p.states[s]
	switch {
	case at.matched:
		return s, true
	case at.next != nil:
		if to := at.next[class]; to != 0 {
			return to - 2, to > 1
		}
	case p.far != nil:
		if to, ok := p.far[farStep{s, class}]; ok {
			return to, to >= 0
		}
	}
	to := p.after(s, class)
	if p.far != nil {
		p.far[farStep{s, class}] = to
		return to, to >= 0
	}
	if at = &p.states[s]; at.next == nil {
		at.next = make([]int32, len(p.classes.some))
	}
	at.next[class] = to + 2
	return to, to >= 0
}

// matchesText reports whether a pattern, known to compile, matches text.
func matchesText(expr, text string) bool {
	p, err := newPattern(expr)
	return err == nil && p.finds(text)
}

// finds reports whether p matches somewhere in text.
func (p *pattern) finds(text string) bool {
	at := int32(0)
	for _, r := range text {
		var ok bool
		if at, ok = p.step(at, r); !ok {
			return false
		}
	}
	return p.states[at].atEnd
}
