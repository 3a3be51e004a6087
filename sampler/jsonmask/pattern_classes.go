package jsonmask

import (
	"encoding/binary"
	"errors"
	"slices"
	"unicode"
)

// runeClasses are the code points by what some sets do not tell apart.
type runeClasses struct {
	from  []rune  // where ranges begin, in order; the first is 0
	class []int32 // of each range
	some  []rune  // one of every class
	ascii [128]int32
}

// maxSplits bounds the work of classes.
const maxSplits = 1 << 24

func newRuneClasses(sets []runeSet) (*runeClasses, error) {
	c := &runeClasses{from: []rune{0}}
	sets = distinct(sets)
	for _, s := range sets {
		for i := 0; i+1 < len(s); i += 2 {
			if c.from = append(c.from, s[i]); s[i+1] < unicode.MaxRune {
				c.from = append(c.from, s[i+1]+1)
			}
		}
	}
	slices.Sort(c.from)
	c.from = slices.Compact(c.from)
	c.class = make([]int32, len(c.from))
	work, n, split := 0, int32(1), map[int32]int32{}
	for _, s := range sets { // what a set has of a class and what it lacks become two
		clear(split)
		for i := 0; i+1 < len(s); i += 2 {
			at, _ := slices.BinarySearch(c.from, s[i])
			for ; at < len(c.from) && c.from[at] <= s[i+1]; at++ {
				to, ok := split[c.class[at]]
				if !ok {
					to, n = n, n+1
					split[c.class[at]] = to
				}
				c.class[at] = to
				work++
			}
		}
		if work > maxSplits {
			return nil, errors.New("too many different characters and classes")
		}
	}
	c.number(n)
	return c, nil
}

// number gives classes, of n numbers, the numbers from 0, and fills some and ascii.
func (c *runeClasses) number(n int32) {
	numbers := make([]int32, n) // plus 1
	for i, old := range c.class {
		if numbers[old] == 0 {
			c.some = append(c.some, c.from[i])
			numbers[old] = int32(len(c.some))
		}
		c.class[i] = numbers[old] - 1
	}
	at := 0
	for r := range c.ascii {
		for at+1 < len(c.from) && c.from[at+1] <= rune(r) {
			at++
		}
		c.ascii[r] = c.class[at]
	}
}

// find returns the range that r is in.
func (c *runeClasses) find(r rune) int {
	i, ok := slices.BinarySearch(c.from, r)
	if !ok {
		i--
	}
	return i
}

// of returns the class of r.
func (c *runeClasses) of(r rune) int32 {
	if r < 128 {
		return c.ascii[r]
	}
	return c.class[c.find(r)]
}

// distinct returns each of sets once.
func distinct(sets []runeSet) (out []runeSet) {
	seen, same := map[string]bool{}, map[*rune]bool{}
	var key []byte
	for _, s := range sets {
		if len(s) > 0 {
			if same[&s[0]] {
				continue
			}
			same[&s[0]] = true
		}
		key = key[:0]
		for _, r := range s {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			out = append(out, s)
		}
	}
	return out
}
