package jsonmask

// A terminal is an automaton over bytes. State 0 is its start.
type terminal interface {
	// next returns the state after b, and false where b cannot follow.
	next(state int32, b byte) (int32, bool)
	// end reports whether the text may end here, and whether it may go on.
	end(state int32) (may, more bool)
	// bytes returns a set that every byte that may follow is in.
	bytes(state int32) byteSet
}

// A symbol is a part of the grammar that stands for sequences of terminals and
// symbols: a value, or a place in an object or array.
type symbol interface {
	// expand calls to with every way to begin, each a list of parts.
	expand(at place, to func(parts ...part))
}

// A place is what a symbol remembers: which properties were seen, how many
// members there are.
type place struct {
	seen [4]uint64
	n    int32
	late int32 // of the sets of names past those of seen, as their object numbers them
}

// A part is a terminal or a symbol at a place; one of the two is nil.
type part struct {
	term terminal
	sym  symbol
	at   place
}

// A rest is what has to follow, as a shared list; nil is nothing.
type rest struct {
	part  part
	rest  *rest
	begun *builder // every way to begin, once it was asked for
	numbers
}

type restKey struct {
	part part
	rest *rest
}

// A thread is one way to read the text so far: a terminal, its state and what
// has to follow.
type thread struct {
	term  terminal
	state int32
	rest  *rest
}

// A machine numbers the states that texts of a grammar meet. It is not safe for
// concurrent use.
type machine struct {
	rests   map[restKey]*rest
	last    numbers   // of threads that nothing has to follow
	threads int32     // that are numbered
	alone   []*config // of one thread, by its number
	configs map[string]*config
	start   *config
	count   int    // of configs
	age     int    // how often the numbering began anew
	key     []byte // scratch
	sorted  []int32
	scratch builder
	spare   []config // to be handed out
	room    []thread // likewise
}

func newMachine(root symbol, blanks terminal) *machine {
	m := &machine{}
	m.scratch.m = m
	m.reset()
	var b builder
	b.m = m
	b.expand(nil, part{term: blanks}, part{sym: root})
	m.start = b.config()
	return m
}

func (m *machine) reset() {
	m.age++
	m.rests, m.configs = map[restKey]*rest{}, map[string]*config{}
	m.threads, m.alone, m.count = 0, nil, 0
}

// push returns the list of part before r.
func (m *machine) push(p part, r *rest) *rest {
	k := restKey{p, r}
	if x, ok := m.rests[k]; ok {
		return x
	}
	x := &rest{part: p, rest: r}
	m.rests[k] = x
	return x
}

// step returns the config after b, nil where no text goes on.
func (m *machine) step(c *config, b byte) *config {
	switch {
	case c.free && plainBytes.has(b):
		return c
	case c.dead.has(b):
		return nil
	}
	if to, ok := c.known(b); ok {
		return to
	}
	build := &m.scratch
	build.threads, build.ids, build.done = build.threads[:0], build.ids[:0], false
	for _, t := range c.threads {
		if s, ok := t.term.next(t.state, b); ok {
			build.reach(thread{t.term, s, t.rest})
		}
	}
	to := build.config()
	c.learn(b, to)
	return to
}

// run returns the config after text.
func (m *machine) run(c *config, text []byte) *config {
	for _, b := range text {
		if c == nil {
			return nil
		}
		c = m.step(c, b)
	}
	return c
}
