package jsonmask

import (
	"encoding/binary"
	"slices"
)

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

func (b *builder) add(t thread) { b.put(b.m.number(t), t) }

func (b *builder) put(id int32, t thread) {
	if !slices.Contains(b.ids, id) {
		b.ids, b.threads = append(b.ids, id), append(b.threads, t)
	}
}

// config returns the config of the threads, the same one for the same threads.
func (b *builder) config() *config {
	m := b.m
	switch {
	case len(b.threads) == 0 && !b.done:
		return nil
	case len(b.threads) == 1 && !b.done:
		id := int(b.ids[0])
		if id >= len(m.alone) {
			m.alone = append(m.alone, make([]*config, id+1-len(m.alone)+64)...)
		}
		if m.alone[id] == nil {
			m.alone[id] = m.config(b.threads, false)
		}
		return m.alone[id]
	}
	m.sorted = append(m.sorted[:0], b.ids...)
	slices.Sort(m.sorted)
	key := m.key[:0]
	for _, id := range m.sorted {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	if b.done {
		key = append(key, 1)
	}
	m.key = key
	c, ok := m.configs[string(key)]
	if !ok {
		c = m.config(b.threads, b.done)
		m.configs[string(key)] = c
	}
	return c
}
