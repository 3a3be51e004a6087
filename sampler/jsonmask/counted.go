package jsonmask

import "fmt"

// maxCounted is how many states the counts of one array may have.
const maxCounted = 4096

// A counted is an array whose items are counted by schema: an automaton over its
// items. An item that a contains without max allows may be counted or not, so of
// several ways to read a text one has the right counts.
type counted struct {
	c      *compiler
	states []countedState
	first  countedFirst
	after  countedAfter
}

type countedState struct {
	n      int
	counts [maxContains]int
	may    bool // the array may end
	edges  []countedEdge
	live   bool // some end is in reach
}

type countedEdge struct {
	item *value
	to   int32
}

func (c *compiler) counted(f flat, at string) (*counted, error) {
	if len(f.contains) > maxContains {
		return nil, &UnsupportedError{at, "contains", fmt.Sprintf("more than %d of one array", maxContains)}
	}
	a := &counted{c: c, states: make([]countedState, 1)}
	a.first.counted, a.after.counted = a, a
	index := map[countedKey]int32{{}: 0}
	for i := 0; i < len(a.states); i++ {
		s := a.states[i]
		s.may = s.n >= f.minItems
		for r, rule := range f.contains {
			s.may = s.may && s.counts[r] >= rule.min
		}
		for counted := range 1 << len(f.contains) {
			to, ok := f.count(s, counted)
			if !ok {
				continue
			}
			key := countedKey{to.n, to.counts}
			if _, ok := index[key]; !ok {
				if len(a.states) == maxCounted {
					return nil, &UnsupportedError{at, "contains", fmt.Sprintf("more than %d counts to tell apart", maxCounted)}
				}
				index[key] = int32(len(a.states))
				a.states = append(a.states, to)
			}
			s.edges = append(s.edges, countedEdge{c.value(f.countedItem(s.n, counted)), index[key]})
		}
		a.states[i] = s
	}
	return a, nil
}

type countedKey struct {
	n      int
	counts [maxContains]int
}

// settle finds the states from which an end is in reach, as far as values are
// known to live.
func (a *counted) settle() bool {
	for changed := true; changed; {
		changed = false
		for i := len(a.states) - 1; i >= 0; i-- { // most states lead to later ones
			s := &a.states[i]
			live := s.live || s.may
			for _, e := range s.edges {
				live = live || e.item.live && a.states[e.to].live
			}
			if live != s.live {
				s.live, changed = live, true
			}
		}
	}
	return a.states[0].live
}

func (a *counted) begin() symbol { return &a.first }

// more adds every way to read an item.
func (a *counted) more(n int32, to func(parts ...part), before ...part) {
	for _, e := range a.states[n].edges {
		if e.item.live && a.states[e.to].live {
			to(append(before[:len(before):len(before)], part{sym: e.item}, part{term: a.c.space}, part{sym: &a.after, at: place{n: e.to}})...)
		}
	}
}

// countedFirst is the place after the opening bracket.
type countedFirst struct{ *counted }

func (a *countedFirst) expand(_ place, to func(parts ...part)) {
	if a.states[0].may {
		to(part{term: a.c.shutList})
	}
	a.more(0, to)
}

// countedAfter is the place after an item.
type countedAfter struct{ *counted }

func (a *countedAfter) expand(at place, to func(parts ...part)) {
	if a.states[at.n].may {
		to(part{term: a.c.shutList})
	}
	a.more(at.n, to, part{term: a.c.comma}, part{term: a.c.space})
}
