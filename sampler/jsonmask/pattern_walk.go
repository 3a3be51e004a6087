package jsonmask

import "slices"

// A patternItem is an instruction that the program waits at, and the duties of the
// way that led there: assertions of what follows that are still open.
type patternItem struct{ pc, duty uint32 }

// A moment is what assertions may ask of a place in a string.
type moment struct {
	begin  bool // of the string
	known  bool // what follows is known; else assertions of it are left open
	end    bool // nothing follows
	before bool // the code point before is of \w
	after  bool // the code point that follows is
	behind uint32
}

// patternWalk is the scratch of walk.
type patternWalk struct {
	seen  []uint32 // by instruction, for items without duties
	stamp uint32
	more  map[patternItem]bool
	stack []patternItem
}

// walk follows what takes no code point from some items to those that do, to
// matches, and to assertions that are left open.
func (p *pattern) walk(from []patternItem, m moment, visit func(patternItem)) {
	w := &p.walker
	if w.seen == nil {
		w.seen = make([]uint32, len(p.prog.insts))
	}
	w.stamp++
	clear(w.more)
	for w.stack = append(w.stack[:0], from...); len(w.stack) > 0; {
		at := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.met(at) || p.hard && p.work > maxHardWork {
			continue
		}
		p.work++
		switch i := &p.prog.insts[at.pc]; {
		case i.op == instMatch || i.op == instRunes:
			visit(at)
		case i.op == instEither:
			w.stack = append(w.stack, patternItem{i.arg, at.duty}, patternItem{i.out, at.duty})
		case i.op == instAhead:
			if duty, ok := p.begun(at.duty, i, m.begin); ok {
				w.stack = append(w.stack, patternItem{i.out, duty})
			}
		case i.op != instBegin && !m.known:
			visit(at)
		case m.holds(i):
			w.stack = append(w.stack, patternItem{i.out, at.duty})
		}
	}
}

func (w *patternWalk) met(at patternItem) bool {
	if at.duty == 0 {
		met := w.seen[at.pc] == w.stamp
		w.seen[at.pc] = w.stamp
		return met
	}
	if w.more == nil {
		w.more = map[patternItem]bool{}
	}
	met := w.more[at]
	w.more[at] = true
	return met
}

// holds reports whether an assertion holds at m.
func (m moment) holds(i *patternInst) bool {
	switch i.op {
	case instBegin:
		return m.begin
	case instEnd:
		return m.end
	case instBoundary:
		return (m.before != m.after) != i.negated
	}
	return (m.behind>>i.arg&1 == 1) != i.negated
}

// begun adds the duty of an assertion of what follows.
func (p *pattern) begun(duty uint32, i *patternInst, begin bool) (uint32, bool) {
	key := setStep{set: -1 - int32(i.arg), bits: 0}
	if begin {
		key.bits = 1
	}
	body, ok := p.steps[key]
	if !ok {
		outer := p.walker // in use
		p.walker = patternWalk{}
		body = p.collect([]patternItem{{i.arg, 0}}, patternSet{begin: begin, seek: -1})
		p.walker, p.steps[key] = outer, body
	}
	return p.withDuty(duty, body, i.negated)
}

// withDuty returns duty and that a set has to match, or may not; false where it
// cannot be.
func (p *pattern) withDuty(duty uint32, set int32, negated bool) (uint32, bool) {
	s := &p.sets[set]
	switch {
	case s.matched():
		return duty, !negated
	case len(s.items) == 0:
		return duty, negated
	}
	x := uint32(set) << 1
	if negated {
		x |= 1
	}
	old := p.duties[duty]
	at, there := slices.BinarySearch(old, x)
	switch {
	case there:
		return duty, true
	case slices.Contains(old, x^1):
		return 0, false
	}
	list := slices.Insert(slices.Clone(old), at, x)
	p.work += len(list)
	key := p.keyOf(list)
	to, ok := p.dutyOf[string(key)]
	if !ok {
		to = uint32(len(p.duties))
		p.duties, p.dutyOf[string(key)] = append(p.duties, list), to
	}
	return to, true
}
