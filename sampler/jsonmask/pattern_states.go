package jsonmask

import "encoding/binary"

// begin meets the state before the first code point.
func (p *pattern) begin() {
	s := patternState{set: p.collect([]patternItem{{p.prog.start, 0}}, patternSet{begin: true, seek: int32(p.prog.start)})}
	for _, body := range p.prog.behind {
		s.behind = append(s.behind, p.collect([]patternItem{{body, 0}}, patternSet{begin: true, seek: int32(body), behind: true}))
	}
	p.intern(s)
}

// after returns the state after a code point of a class, -1 where no match follows.
func (p *pattern) after(from, class int32) int32 {
	s := p.states[from]
	m := moment{known: true, before: s.word, after: p.word[class]}
	m.behind = p.came(s, m)
	to := patternState{set: p.stepSet(s.set, m, class), word: p.word[class]}
	for _, set := range s.behind {
		to.behind = append(to.behind, p.stepSet(set, m, class))
	}
	if len(p.sets[to.set].items) == 0 {
		return -1
	}
	return p.intern(to)
}

// came returns which assertions of what came before hold, a bit each.
func (p *pattern) came(s patternState, m moment) (holds uint32) {
	for k, set := range s.behind {
		m.behind, m.begin = holds, p.sets[set].begin
		p.walk(p.sets[set].items, m, func(at patternItem) {
			if p.prog.insts[at.pc].op == instMatch {
				holds |= 1 << k
			}
		})
	}
	return holds
}

// atEnd reports whether s is a match where the string ends.
func (p *pattern) atEnd(s patternState) bool {
	m := moment{known: true, end: true, before: s.word}
	m.behind = p.came(s, m)
	return p.ends(s.set, m)
}

// ends reports whether a set matches where the string ends.
func (p *pattern) ends(set int32, m moment) bool {
	var duties []uint32
	done := false
	m.begin = p.sets[set].begin
	p.walk(p.sets[set].items, m, func(at patternItem) {
		if p.prog.insts[at.pc].op == instMatch {
			done = done || at.duty == 0
			duties = append(duties, at.duty)
		}
	})
	for i := 0; i < len(duties) && !done && p.work <= maxHardWork; i++ {
		done = true
		for _, x := range p.duties[duties[i]] {
			done = done && p.ends(int32(x>>1), m) != (x&1 == 1)
		}
	}
	return done
}

func (p *pattern) intern(s patternState) int32 {
	if s.matched = p.sets[s.set].matched(); s.matched {
		s.behind, s.word = nil, false
	}
	key := binary.LittleEndian.AppendUint32(p.key[:0], uint32(s.set))
	for _, set := range s.behind {
		key = binary.LittleEndian.AppendUint32(key, uint32(set))
	}
	if s.word {
		key = append(key, 1)
	}
	p.key = key
	if i, ok := p.index[string(key)]; ok {
		return i
	}
	i := int32(len(p.states))
	p.index[string(key)] = i
	if s.atEnd = s.matched || p.atEnd(s); !s.atEnd {
		s.least = p.nearest(s.set)
	}
	p.states = append(p.states, s)
	return i
}

// nearest is how few code points a set takes to a match, where no assertion but ^
// and $ forbids it.
func (p *pattern) nearest(set int32) int {
	n := noMatch
	for _, at := range p.sets[set].items {
		n = min(n, p.left[at.pc])
	}
	return n
}
