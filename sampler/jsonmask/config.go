package jsonmask

// A config is a state of the machine: all ways to read the text so far.
type config struct {
	threads []thread
	done    bool    // the text is complete
	dead    byteSet // bytes that no text goes on with, as far as is known
	few     [4]edge
	n       int           // of few
	table   *[256]*config // where few are not enough
	mask    *tokens
	free    bool // within strings that any plain character leaves as they are
}

// An edge is what follows a byte.
type edge struct {
	to   *config
	char byte
}

// known returns the config after b, and false where nobody has looked.
func (c *config) known(b byte) (*config, bool) {
	for i := range c.few[:c.n] {
		if c.few[i].char == b {
			return c.few[i].to, true
		}
	}
	if c.table != nil && c.table[b] != nil {
		return c.table[b], true
	}
	return nil, false
}

// learn makes to known as what follows b; nil is nothing.
func (c *config) learn(b byte, to *config) {
	switch {
	case to == nil:
		c.dead.add(b)
	case c.n < len(c.few):
		c.few[c.n] = edge{to, b}
		c.n++
	default:
		if c.table == nil {
			c.table = new([256]*config)
		}
		c.table[b] = to
	}
}

// forget makes c learn its successors and its mask again.
func (c *config) forget() { c.n, c.table, c.mask = 0, nil, nil }

// config returns a new config of threads.
func (m *machine) config(threads []thread, done bool) *config {
	if len(m.spare) == 0 {
		m.spare = make([]config, 16)
	}
	c := &m.spare[0]
	m.spare = m.spare[1:]
	if len(m.room) < len(threads) {
		m.room = make([]thread, max(64, len(threads)))
	}
	c.threads, c.done = m.room[:len(threads):len(threads)], done
	m.room = m.room[copy(c.threads, threads):]
	var live byteSet
	for _, t := range threads {
		live.union(t.term.bytes(t.state))
	}
	for i := range live {
		c.dead[i] = ^live[i]
	}
	c.free = c.indifferent()
	m.count++
	return c
}
