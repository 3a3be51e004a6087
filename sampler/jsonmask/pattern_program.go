package jsonmask

import "fmt"

// maxInstructions bounds the program of one pattern: some ten thousand characters.
const maxInstructions = 1 << 16

// maxBehind is how many assertions of what came before one pattern may have.
const maxBehind = 16

// A patternInst is an instruction of a pattern's program (Thompson, CACM 1968).
type patternInst struct {
	op       instOp
	negated  bool
	out, arg uint32  // arg: the other way of instEither, the body of instAhead, the number of instBehind
	runes    runeSet // of instRunes
}

type instOp uint8

const (
	instMatch instOp = iota
	instRunes
	instEither
	instBegin
	instEnd
	instBoundary
	instAhead
	instBehind
)

// A patternProgram is a pattern as instructions, of which 0 is the match.
type patternProgram struct {
	insts  []patternInst
	start  uint32
	behind []uint32 // where the bodies of assertions of what came before begin, inner ones first
	bounds bool     // has word boundaries
	aheads bool

	bodies map[*patternNode]uint32 // of assertions; nil until there is one
	within int                     // assertions of what came before around this place
}

func newPatternProgram(root *patternNode) (*patternProgram, error) {
	p := &patternProgram{insts: make([]patternInst, 1, 16)}
	var err error
	p.start, err = p.emit(root, 0)
	return p, err
}

func (p *patternProgram) add(i patternInst) (uint32, error) {
	if len(p.insts) == maxInstructions {
		return 0, fmt.Errorf("more than %d states, want fewer or shorter repetitions", maxInstructions)
	}
	p.insts = append(p.insts, i)
	return uint32(len(p.insts) - 1), nil
}

// emit adds n before next and returns where it begins.
func (p *patternProgram) emit(n *patternNode, next uint32) (at uint32, err error) {
	switch n.op {
	case opRunes:
		return p.add(patternInst{op: instRunes, out: next, runes: n.runes})
	case opAll:
		for i := len(n.parts) - 1; i >= 0 && err == nil; i-- {
			next, err = p.emit(n.parts[i], next)
		}
		return next, err
	case opOne:
		return p.either(n.parts, next)
	case opRepeat:
		return p.repeat(n, next)
	case opBegin:
		return p.add(patternInst{op: instBegin, out: next})
	case opEnd:
		return p.add(patternInst{op: instEnd, out: next})
	case opBoundary:
		p.bounds = true
		return p.add(patternInst{op: instBoundary, out: next, negated: n.negated})
	case opAhead:
		return p.ahead(n, next)
	}
	return p.behindOf(n, next)
}

func (p *patternProgram) either(parts []*patternNode, next uint32) (uint32, error) {
	at, err := p.emit(parts[len(parts)-1], next)
	for i := len(parts) - 2; i >= 0 && err == nil; i-- {
		var one uint32
		if one, err = p.emit(parts[i], next); err == nil {
			at, err = p.add(patternInst{op: instEither, out: one, arg: at})
		}
	}
	return at, err
}

// repeat writes the body as often as it has to come, and then as often as it may.
func (p *patternProgram) repeat(n *patternNode, next uint32) (uint32, error) {
	body, at, least := n.parts[0], next, n.low
	var err error
	if n.high < 0 {
		var loop uint32
		if loop, err = p.add(patternInst{op: instEither, arg: next}); err != nil {
			return 0, err
		}
		p.insts[loop].out, err = p.emit(body, loop)
		if at = loop; least > 0 {
			at, least = p.insts[loop].out, least-1
		}
	}
	for i := n.low; i < n.high && err == nil; i++ {
		before := len(p.insts)
		var one uint32
		if one, err = p.emit(body, at); err != nil || len(p.insts) == before {
			break // what takes nothing
		}
		at, err = p.add(patternInst{op: instEither, out: one, arg: next})
	}
	for ; least > 0 && err == nil; least-- {
		before := len(p.insts)
		if at, err = p.emit(body, at); len(p.insts) == before {
			break
		}
	}
	return at, err
}

func (p *patternProgram) ahead(n *patternNode, next uint32) (uint32, error) {
	if p.within > 0 {
		return 0, fmt.Errorf("an assertion of what follows within one of what came before is not supported")
	}
	p.aheads = true
	if _, ok := p.bodies[n]; !ok {
		body, err := p.emit(n.parts[0], 0)
		if err != nil {
			return 0, err
		}
		p.keep(n, body)
	}
	return p.add(patternInst{op: instAhead, out: next, arg: p.bodies[n], negated: n.negated})
}

func (p *patternProgram) behindOf(n *patternNode, next uint32) (uint32, error) {
	if _, ok := p.bodies[n]; !ok {
		p.within++
		body, err := p.emit(n.parts[0], 0)
		if p.within--; err != nil {
			return 0, err
		}
		if len(p.behind) == maxBehind {
			return 0, fmt.Errorf("more than %d assertions of what came before", maxBehind)
		}
		p.keep(n, uint32(len(p.behind)))
		p.behind = append(p.behind, body)
	}
	return p.add(patternInst{op: instBehind, out: next, arg: p.bodies[n], negated: n.negated})
}

func (p *patternProgram) keep(n *patternNode, body uint32) {
	if p.bodies == nil {
		p.bodies = map[*patternNode]uint32{}
	}
	p.bodies[n] = body
}
