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
