package jsonmask

import (
	"encoding/binary"
	"slices"
)

// A terminal is an automaton over bytes. State 0 is its start.
type terminal interface {
	// next returns the state after b, and false where b cannot follow.
	next(state int32, b byte) (int32, bool)
	// end reports whether the text may end here, and whether it may go on.
	end(state int32) (may, more bool)
	// bytes returns a set that every byte that may follow is in.
	bytes(state int32) byteSet
}

// A byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 == 1 }

func (s *byteSet) union(t byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

func setOf(bytes string) byteSet {
	var s byteSet
	for i := range len(bytes) {
		s.add(bytes[i])
	}
	return s
}

// everyByte is for terminals that look closer later.
var everyByte = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

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

// A config is a state of the machine: all ways to read the text so far.
type config struct {
	threads []thread
	done    bool // the text is complete
	next    [4]*[64]*config
	known   byteSet // bytes whose next is there; nil is dead
	dead    byteSet // bytes that no text goes on with, as far as that is plain
}

// A machine numbers the states that texts of a grammar meet. It is not safe for
// concurrent use.
type machine struct {
	rests   map[restKey]*rest
	ids     map[thread]int32
	configs map[string]*config
	start   *config
	age     int    // how often the numbering began anew
	key     []byte // scratch
	sorted  []int32
	scratch builder
}

func newMachine(root symbol) *machine {
	m := &machine{}
	m.scratch.m = m
	m.reset()
	var b builder
	b.m = m
	b.expand(nil, part{term: &space{}}, part{sym: root})
	m.start = b.config()
	return m
}

func (m *machine) reset() {
	m.age++
	m.rests, m.ids, m.configs = map[restKey]*rest{}, map[thread]int32{}, map[string]*config{}
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
	if c.dead.has(b) {
		return nil
	}
	if c.known.has(b) {
		return c.next[b>>6][b&63]
	}
	build := &m.scratch
	build.threads, build.ids, build.done = build.threads[:0], build.ids[:0], false
	for _, t := range c.threads {
		if s, ok := t.term.next(t.state, b); ok {
			build.reach(thread{t.term, s, t.rest})
		}
	}
	c.known.add(b)
	if c.next[b>>6] == nil {
		c.next[b>>6] = new([64]*config)
	}
	to := build.config()
	c.next[b>>6][b&63] = to
	return to
}

// forget makes c learn its successors again.
func (c *config) forget() { c.known, c.next = byteSet{}, [4]*[64]*config{} }

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

// A builder collects the threads of one config.
type builder struct {
	m       *machine
	threads []thread
	ids     []int32 // of the threads
	done    bool
	age     int // of the numbering that ids are of
}

// reach adds a thread, and what follows where its terminal may end.
func (b *builder) reach(t thread) {
	may, more := t.term.end(t.state)
	if more {
		b.add(t)
	}
	if may {
		b.follow(t.rest)
	}
}

// follow adds every way to begin r. White space may end after each character of
// it, so the ways are remembered.
func (b *builder) follow(r *rest) {
	if r == nil {
		b.done = true
		return
	}
	if r.begun == nil || r.begun.age != b.m.age {
		r.begun = &builder{m: b.m, age: b.m.age}
		r.begun.expand(r.rest, r.part)
	}
	b.done = b.done || r.begun.done
	for i, t := range r.begun.threads {
		b.put(r.begun.ids[i], t)
	}
}

// expand adds every way to begin parts before r.
func (b *builder) expand(r *rest, parts ...part) {
	for i := len(parts) - 1; i > 0; i-- {
		r = b.m.push(parts[i], r)
	}
	p := parts[0]
	if p.term != nil {
		b.reach(thread{p.term, 0, r})
		return
	}
	p.sym.expand(p.at, func(parts ...part) { b.expand(r, parts...) })
}

func (b *builder) add(t thread) {
	id, ok := b.m.ids[t]
	if !ok {
		id = int32(len(b.m.ids))
		b.m.ids[t] = id
	}
	b.put(id, t)
}

func (b *builder) put(id int32, t thread) {
	if !slices.Contains(b.ids, id) {
		b.ids, b.threads = append(b.ids, id), append(b.threads, t)
	}
}

// config returns the config of the threads, the same one for the same threads.
func (b *builder) config() *config {
	if len(b.threads) == 0 && !b.done {
		return nil
	}
	b.m.sorted = append(b.m.sorted[:0], b.ids...)
	slices.Sort(b.m.sorted)
	key := b.m.key[:0]
	for _, id := range b.m.sorted {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	if b.done {
		key = append(key, 1)
	}
	b.m.key = key
	if c, ok := b.m.configs[string(key)]; ok {
		return c
	}
	c := &config{threads: slices.Clone(b.threads), done: b.done}
	var live byteSet
	for _, t := range b.threads {
		live.union(t.term.bytes(t.state))
	}
	for i := range live {
		c.dead[i] = ^live[i]
	}
	b.m.configs[string(key)] = c
	return c
}
