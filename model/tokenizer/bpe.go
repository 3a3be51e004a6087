package tokenizer

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"foretoken/model"
)

// bpe is byte-pair encoding (Sennrich et al. 2016): of the neighbours in a word
// that may merge, those of the lowest rank do, the leftmost first, until none may.
type bpe struct {
	vocab  map[string]model.Token
	merges map[pair]merge

	ignoreMerges bool // a word that is a token is that token (Llama 3)
	byteFallback bool // an unknown character is its bytes' tokens (Llama 2)
	fuseUnk      bool // neighbouring unknowns are one
	holes        bool // an unknown character parts its neighbours (llama.cpp)
	unk          model.Token
	prefix       string // of a character that does not begin a word
	suffix       string // of the character that ends a word

	bytes [256]model.Token // <0xNN>, None where the vocabulary lacks it
	stand []string         // characters that are no tokens but parts of one; ids from standFrom on
	from  model.Token

	mu    sync.RWMutex
	cache map[string][]model.Token
}

type pair struct{ left, right model.Token }

type merge struct {
	rank int32
	id   model.Token
}

// Words longer than cacheWord are not remembered, and no more than cacheWords.
const (
	cacheWord  = 64
	cacheWords = 1 << 15
)

func newBPE(vocab map[string]model.Token) *bpe {
	b := &bpe{vocab: vocab, merges: map[pair]merge{}, unk: None, cache: map[string][]model.Token{}}
	for i := range b.bytes {
		id, ok := vocab[fmt.Sprintf("<0x%02X>", i)]
		if !ok {
			id = None
		}
		b.bytes[i] = id
	}
	return b
}

// encode appends the ids of word to out.
func (b *bpe) encode(out []model.Token, word string) []model.Token {
	if b.ignoreMerges {
		if id, ok := b.vocab[word]; ok {
			return append(out, id)
		}
	}
	if len(word) > cacheWord {
		return b.merge(out, word)
	}
	b.mu.RLock()
	ids, ok := b.cache[word]
	b.mu.RUnlock()
	if ok {
		return append(out, ids...)
	}
	n := len(out)
	out = b.merge(out, word)
	ids = append([]model.Token(nil), out[n:]...)
	b.mu.Lock()
	if len(b.cache) >= cacheWords {
		clear(b.cache)
	}
	b.cache[word] = ids
	b.mu.Unlock()
	return out
}

// symbols are what a word is before anything merges.
func (b *bpe) symbols(word string) []symbol {
	s := make([]symbol, 0, len(word))
	add := func(id model.Token) { s = append(s, symbol{id: id}) }
	unknown := 0
	for i, r := range word {
		n := utf8.RuneLen(r)
		c := word[i : i+n]
		key := c
		if i > 0 {
			key = b.prefix + key
		}
		if i+n == len(word) {
			key += b.suffix
		}
		if id, ok := b.vocab[key]; ok {
			for ; unknown > 0; unknown-- {
				add(b.unk)
			}
			add(id)
			continue
		}
		switch {
		case b.byteFallback && b.fallback(c, add):
		case b.holes:
			add(None)
		case b.unk != None && (unknown == 0 || !b.fuseUnk):
			unknown++
		}
	}
	for ; unknown > 0; unknown-- {
		add(b.unk)
	}
	return s
}

// fallback adds the tokens of c's bytes, all of them or none.
func (b *bpe) fallback(c string, add func(model.Token)) bool {
	for i := range len(c) {
		if b.bytes[c[i]] == None {
			return false
		}
	}
	for i := range len(c) {
		add(b.bytes[c[i]])
	}
	return true
}

// merge appends the ids of word to out in O(n log n).
func (b *bpe) merge(out []model.Token, word string) []model.Token {
	s := b.symbols(word)
	for i := range s {
		s[i].prev, s[i].next = int32(i-1), int32(i+1)
	}
	var q queue
	offer := func(i, j int32) {
		if i < 0 || int(j) >= len(s) {
			return
		}
		if m, ok := b.merges[pair{s[i].id, s[j].id}]; ok {
			q.push(candidate{m.rank, i, m.id})
		}
	}
	for i := 1; i < len(s); i++ {
		offer(int32(i-1), int32(i))
	}
	for len(q) > 0 {
		c := q.pop()
		l := &s[c.at]
		if l.gone || int(l.next) >= len(s) {
			continue
		}
		r := &s[l.next]
		if m, ok := b.merges[pair{l.id, r.id}]; !ok || m.id != c.id {
			continue // one of them has merged since
		}
		l.id, l.next, r.gone = c.id, r.next, true
		if int(l.next) < len(s) {
			s[l.next].prev = c.at
		}
		offer(l.prev, c.at)
		offer(c.at, l.next)
	}
	for i := range s {
		if !s[i].gone {
			out = b.emit(out, s[i].id)
		}
	}
	return out
}

func (b *bpe) emit(out []model.Token, id model.Token) []model.Token {
	switch {
	case id == None:
	case b.stand != nil && id >= b.from:
		b.fallback(b.stand[id-b.from], func(id model.Token) { out = append(out, id) })
	default:
		out = append(out, id)
	}
	return out
}
