package tokenizer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"foretoken/model"
)

// The strings of the golden files: scripts/golden_tokenizer.py makes the same.

type fragments struct {
	Prose, Code, CJK, Emoji, Space, Base, Mark []string
	Ranges                                     [][2]rune
	Special                                    map[string][]string
}

func readJSON(t testing.TB, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (s *splitMix) below(n int) int { return int(s.next() % uint64(n)) }

func pick[T any](s *splitMix, items []T) T { return items[s.below(len(items))] }

var kinds = []string{"prose", "prose", "code", "code", "cjk", "emoji", "space", "marks", "digits", "range", "special"}

func (f *fragments) one(r *splitMix, special []string) string {
	switch kind := pick(r, kinds); kind {
	case "space":
		s := pick(r, f.Space)
		return strings.Repeat(s, 1+r.below(6))
	case "marks":
		s := pick(r, f.Base)
		n := 1 + r.below(3)
		if r.below(50) == 0 {
			n += 40
		}
		for range n {
			s += pick(r, f.Mark)
		}
		return s
	case "digits":
		limit := 1
		for range 1 + r.below(12) {
			limit *= 10
		}
		return strconv.Itoa(r.below(limit))
	case "range":
		low := pick(r, f.Ranges)
		s := ""
		for range 1 + r.below(4) {
			s += string(low[0] + rune(r.below(int(low[1]-low[0]+1))))
		}
		return s
	case "special":
		return pick(r, special)
	default:
		return pick(r, map[string][]string{"prose": f.Prose, "code": f.Code, "cjk": f.CJK, "emoji": f.Emoji}[kind])
	}
}

func (f *fragments) text(i int, special []string) string {
	r := splitMix(i)
	s := ""
	for range 1 + r.below(10) {
		if s != "" && r.below(3) > 0 {
			s += " "
		}
		s += f.one(&r, special)
	}
	return s
}

func sequence(i, vocab int) []model.Token {
	r := splitMix(i + 1<<32)
	ids := make([]model.Token, 1+r.below(12))
	for j := range ids {
		n := vocab
		if r.below(2) == 1 {
			n = min(300, vocab)
		}
		ids[j] = model.Token(r.below(n))
	}
	return ids
}

type golden struct {
	Reference                          string
	Vocab, Strings, Block              int
	Text, Special, Plain, Decode, Skip []string
	IDs                                []string
	Texts                              []string
}

func line(ids []model.Token) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		s[i] = strconv.Itoa(int(id))
	}
	return strings.Join(s, ",")
}

// compare holds tok against the golden file of a name.
func compare(t *testing.T, tok *Tokenizer, name string) {
	var f fragments
	readJSON(t, filepath.Join("testdata", "fragments.json"), &f)
	var g golden
	readJSON(t, filepath.Join("testdata", name+".json"), &g)
	if tok.Vocab() != g.Vocab {
		t.Errorf("%d ids, want %d", tok.Vocab(), g.Vocab)
	}
	base, _, _ := strings.Cut(strings.TrimPrefix(name, "gguf-"), "+")
	text := func(i int) string { return f.text(i, f.Special[base]) }
	blocks(t, "the strings themselves", g.Block, g.Block, g.Text, func(i int) string { return hex.EncodeToString([]byte(text(i))) })
	for i, want := range g.IDs {
		if got := line(tok.Encode(text(i), true)); got != want {
			t.Errorf("string %d %q:\n got %s\nwant %s", i, text(i), got, want)
		}
	}
	for i, want := range g.Texts {
		if got := tok.Decode(sequence(i, g.Vocab), false); got != want {
			t.Errorf("ids %v:\n got %q\nwant %q", sequence(i, g.Vocab), got, want)
		}
	}
	blocks(t, "ids, special tokens parsed", g.Strings, g.Block, g.Special, func(i int) string { return line(tok.Encode(text(i), true)) })
	blocks(t, "ids, special tokens as text", g.Strings, g.Block, g.Plain, func(i int) string { return line(tok.Encode(text(i), false)) })
	for _, c := range []struct {
		want []string
		skip bool
	}{{g.Decode, false}, {g.Skip, true}} {
		blocks(t, fmt.Sprintf("texts, skip %v", c.skip), g.Strings, g.Block, c.want, func(i int) string {
			return hex.EncodeToString([]byte(tok.Decode(sequence(i, g.Vocab), c.skip)))
		})
	}
}

func blocks(t *testing.T, what string, n, block int, want []string, get func(int) string) {
	t.Helper()
	if len(want) != n/block {
		t.Fatalf("%s: %d hashes, want %d", what, len(want), n/block)
	}
	bad := 0
	for b := range want {
		h := sha256.New()
		for i := b * block; i < (b+1)*block; i++ {
			fmt.Fprintln(h, get(i))
		}
		if hex.EncodeToString(h.Sum(nil))[:16] != want[b] {
			bad++
			if bad == 1 {
				t.Errorf("%s: strings %d to %d differ from the reference", what, b*block, (b+1)*block-1)
			}
		}
	}
	if bad > 1 {
		t.Errorf("%s: %d of %d blocks differ", what, bad, len(want))
	}
}
