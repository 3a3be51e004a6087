package jsonmask

// distances fills left, endable and plainEnd by relaxation: most instructions lead to
// ones of lower numbers.
func (p *pattern) distances() {
	p.end = uint32(len(p.prog.insts))
	p.prog.insts = append(p.prog.insts, patternInst{op: instEnd})
	n := len(p.prog.insts)
	p.left, p.plainEnd = make([]int, n), make([]bool, n)
	endable := make([]bool, n)
	for pc := range p.left {
		p.left[pc] = noMatch
	}
	for changed := true; changed; {
		changed = false
		for pc, i := range p.prog.insts {
			left, ends, plain := p.reach(i, endable)
			if left < p.left[pc] || ends && !endable[pc] || plain && !p.plainEnd[pc] {
				p.left[pc], endable[pc], p.plainEnd[pc], changed = left, ends, plain, true
			}
		}
	}
}

// reach is what an instruction is known to reach by those that it leads to: how far
// a match is, whether there is one at the end of a string, and whether that asks of
// nothing but the end.
func (p *pattern) reach(i patternInst, endable []bool) (left int, ends, plain bool) {
	switch i.op {
	case instMatch:
		return 0, true, true
	case instRunes:
		return min(p.left[i.out]+1, noMatch), false, false
	case instEither:
		return min(p.left[i.out], p.left[i.arg]), endable[i.out] || endable[i.arg], p.plainEnd[i.out] || p.plainEnd[i.arg]
	case instEnd:
		if left = noMatch; endable[i.out] {
			left = 0
		}
		return left, endable[i.out], p.plainEnd[i.out]
	case instBegin: // nothing is taken before the begin
		return noMatch, false, false
	}
	return p.left[i.out], endable[i.out], false
}

// least is the fewest code points that a match still takes after state s.
func (p *pattern) least(s int32) int { return p.states[s].least }

// takes reports whether some code point in [low, high] may follow state s.
func (p *pattern) takes(s int32, low, high rune) bool {
	c := p.classes
	for i := c.find(low); i < len(c.from) && c.from[i] <= high; i++ {
		if to, ok := p.stepClass(s, c.class[i]); ok && p.states[to].least < noMatch {
			return true
		}
	}
	return false
}
