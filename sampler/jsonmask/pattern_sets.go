package jsonmask

import (
	"encoding/binary"
	"slices"
)

// A patternSet is what one run of a program waits at.
type patternSet struct {
	items  []patternItem // in order; a match without duties stands alone
	begin  bool          // no code point was taken, where items ask
	seek   int32         // where a match may begin anew; below 0 is nowhere
	behind bool          // of an assertion of what came before: a match is one here only
}

func (s *patternSet) matched() bool {
	return !s.behind && len(s.items) == 1 && s.items[0] == patternItem{}
}

// collect returns the set like that, of what follows from items.
func (p *pattern) collect(from []patternItem, like patternSet) int32 {
	like.items = nil
	matched, asks := false, false
	p.walk(from, moment{begin: like.begin}, func(at patternItem) {
		switch op := p.prog.insts[at.pc].op; {
		case op == instMatch:
			matched = matched || at.duty == 0
		case !like.begin && p.left[at.pc] == noMatch:
			return
		case op == instEnd && p.plainEnd[at.pc]:
			at.pc = p.end
		case op != instRunes:
			asks = true
		}
		like.items = append(like.items, at)
	})
	if like.begin = like.begin && asks; matched && !like.behind {
		like.items = append(like.items[:0], patternItem{})
	}
	slices.SortFunc(like.items, func(a, b patternItem) int {
		if a.pc != b.pc {
			return int(a.pc) - int(b.pc)
		}
		return int(a.duty) - int(b.duty)
	})
	like.items = slices.Compact(like.items)
	if p.prog.aheads && !like.behind {
		like.items = p.lightest(like.items)
	}
	return p.internSet(like)
}

// lightest leaves out items whose duties are those of another way there and more.
func (p *pattern) lightest(items []patternItem) []patternItem {
	var out []patternItem
	matches := 0 // they come first
	for matches < len(items) && items[matches].pc == 0 {
		matches++
	}
	for from := 0; from < len(items); {
		to := from
		for to < len(items) && items[to].pc == items[from].pc {
			to++
		}
		for _, x := range items[from:to] {
			if !p.heavier(x, items[from:to]) && !p.heavier(x, items[:matches]) {
				out = append(out, x)
			}
		}
		from = to
	}
	return out
}

// heavier reports whether one of others has fewer of x's duties, and no more.
func (p *pattern) heavier(x patternItem, others []patternItem) bool {
	if p.work > maxHardWork {
		return false
	}
	p.work += len(others)
	return slices.ContainsFunc(others, func(y patternItem) bool {
		return (y.pc != x.pc || y.duty != x.duty) && within(p.duties[y.duty], p.duties[x.duty])
	})
}

// within reports whether all of a, in order, is in b.
func within(a, b []uint32) bool {
	if len(a) > len(b) {
		return false
	}
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}

func (p *pattern) keyOf(list []uint32) []byte {
	p.key = p.key[:0]
	for _, x := range list {
		p.key = binary.LittleEndian.AppendUint32(p.key, x)
	}
	return p.key
}

func (p *pattern) internSet(s patternSet) int32 {
	key := p.key[:0]
	for _, at := range s.items {
		key = binary.LittleEndian.AppendUint32(key, at.pc)
		if p.prog.aheads {
			key = binary.LittleEndian.AppendUint32(key, at.duty)
		}
	}
	key = binary.LittleEndian.AppendUint32(key, uint32(s.seek))
	key = append(key, bit(s.begin)|bit(s.behind)<<1)
	p.key = key
	if i, ok := p.setIndex[string(key)]; ok {
		return i
	}
	p.sets = append(p.sets, s)
	p.setIndex[string(key)] = int32(len(p.sets) - 1)
	return int32(len(p.sets) - 1)
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}
