package jsonmask

// A setStep is a step of a set: all that it depends on.
type setStep struct {
	set, class int32
	bits       uint32 // what assertions ask of the text before
}

// stepSet returns the set after a code point of a class, which m knows of.
func (p *pattern) stepSet(set int32, m moment, class int32) int32 {
	s := p.sets[set]
	if s.matched() {
		return set
	}
	key := setStep{set: set, class: class, bits: m.behind << 1}
	if m.before {
		key.bits |= 1
	}
	if p.hard {
		if to, ok := p.steps[key]; ok {
			return to
		}
	}
	var from []patternItem
	if s.seek >= 0 {
		from = append(from, patternItem{uint32(s.seek), 0})
	}
	r := p.classes.some[class]
	take := func(at patternItem) {
		i := &p.prog.insts[at.pc]
		switch {
		case i.op == instRunes && i.runes.has(r):
			at.pc = i.out
		case i.op != instMatch || s.behind:
			return
		}
		from = append(from, at)
	}
	if m.begin, m.known = s.begin, true; p.hard {
		p.walk(s.items, m, take)
	} else {
		for _, at := range s.items {
			take(at)
		}
	}
	if p.prog.aheads {
		from = p.stepDuties(from, m, class)
	}
	to := p.collect(from, patternSet{seek: s.seek, behind: s.behind})
	if p.hard {
		p.steps[key] = to
	}
	return to
}

// stepDuties takes the code point for the duties of items, too, but for those of
// ways that begin anew.
func (p *pattern) stepDuties(items []patternItem, m moment, class int32) []patternItem {
	var out []patternItem
	for _, at := range items {
		to, ok := uint32(0), true
		for _, x := range p.duties[at.duty] {
			set := p.stepSet(int32(x>>1), m, class)
			if to, ok = p.withDuty(to, set, x&1 == 1); !ok {
				break
			}
		}
		if ok {
			out = append(out, patternItem{at.pc, to})
		}
	}
	return out
}
