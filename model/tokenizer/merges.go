package tokenizer

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"foretoken/model"
)

// addMerge adds the merge of a given rank. The pieces and what they make must be
// tokens.
func (b *bpe) addMerge(rank int, left, right string) error {
	made := left
	if b.prefix != "" && len(right) >= len(b.prefix) {
		made += right[len(b.prefix):]
	} else {
		made += right
	}
	l, okL := b.vocab[left]
	r, okR := b.vocab[right]
	id, ok := b.vocab[made]
	for _, p := range []struct {
		s  string
		ok bool
	}{{left, okL}, {right, okR}, {made, ok}} {
		if !p.ok {
			return fmt.Errorf("merge %d needs %q, which is no token", rank, p.s)
		}
	}
	b.merges[pair{l, r}] = merge{rank: int32(rank), id: id}
	return nil
}

// mergeByScore makes merges of a SentencePiece vocabulary: any two neighbours whose
// join is a token may merge, the highest score first (Kudo 2018, the BPE model).
func (b *bpe) mergeByScore(tokens []string, scores []float32) {
	ranks := map[float32]int32{}
	order := slices.Clone(scores)
	slices.Sort(order)
	order = slices.Compact(order)
	for i, s := range order {
		ranks[s] = int32(len(order) - 1 - i)
	}
	b.from = model.Token(len(tokens))
	stand := map[string]model.Token{}
	part := func(s string) (model.Token, bool) {
		id, ok := b.vocab[s]
		if !ok && utf8.RuneCountInString(s) == 1 { // stands for itself until it merges
			if id, ok = stand[s]; !ok {
				id, ok = b.from+model.Token(len(b.stand)), true
				stand[s], b.stand = id, append(b.stand, s)
			}
		}
		return id, ok
	}
	for _, s := range tokens {
		id := b.vocab[s]
		for i := range s {
			if i == 0 {
				continue
			}
			l, okL := part(s[:i])
			r, okR := part(s[i:])
			if okL && okR {
				b.merges[pair{l, r}] = merge{rank: ranks[scores[id]], id: id}
			}
		}
	}
	for s, id := range stand {
		b.vocab[s] = id
	}
}
