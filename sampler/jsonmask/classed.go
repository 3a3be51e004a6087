package jsonmask

// classes is how many kinds of strings, and of numbers, are told apart by the sum of
// their bytes: texts of two classes are two values.
const classes = 8

// maxClassed bounds how far a look ahead for the end of a class goes.
const maxClassed = 1024

// A classed is the texts of a terminal whose bytes have a sum, modulo classes. A
// value has one text: strings are without escapes, numbers without a point or an
// exponent, and no -0.
type classed struct {
	of     terminal
	sum    int32
	states []classedState
	index  map[classedState]int32
	lives  map[int32]bool
}

type classedState struct {
	of, sum int32
	last    bool // byte read was a minus
}

func newClassed(of terminal, sum int) *classed {
	x := &classed{of: of, sum: int32(sum), index: map[classedState]int32{}, lives: map[int32]bool{}}
	x.intern(classedState{})
	return x
}

func (x *classed) intern(s classedState) int32 {
	i, ok := x.index[s]
	if !ok {
		i = int32(len(x.states))
		x.states, x.index[s] = append(x.states, s), i
	}
	return i
}

// take is next without a look ahead.
func (x *classed) take(i int32, b byte) (int32, bool) {
	s := x.states[i]
	if b == '\\' || s.last && b == '0' || x.number() && (b == '.' || b|' ' == 'e') {
		return 0, false
	}
	to, ok := x.of.next(s.of, b)
	if !ok {
		return 0, false
	}
	return x.intern(classedState{to, (s.sum + int32(b)) % classes, x.number() && b == '-'}), true
}

func (x *classed) number() bool {
	_, is := x.of.(*text)
	return !is
}

func (x *classed) next(i int32, b byte) (int32, bool) {
	to, ok := x.take(i, b)
	return to, ok && x.possible(to)
}

func (x *classed) end(i int32) (may, more bool) {
	s := x.states[i]
	may, more = x.of.end(s.of)
	return may && s.sum == x.sum, more
}

func (x *classed) bytes(i int32) byteSet { return x.of.bytes(x.states[i].of) }

// possible reports whether an end was found after state i. Every state on the way to
// one found is known to live, so a text that has begun can end.
func (x *classed) possible(i int32) bool {
	if t, ok := x.of.(*text); ok && len(t.patterns) == 0 && t.high < 0 && t.states[x.states[i].of].phase != closed {
		return true // characters may follow until the sum is right
	}
	if live, ok := x.lives[i]; ok {
		return live
	}
	from := map[int32]int32{i: -1}
	for todo := []int32{i}; len(todo) > 0 && len(from) < maxClassed; todo = todo[1:] {
		at := todo[0]
		if may, _ := x.end(at); may || x.lives[at] {
			for ; at >= 0; at = from[at] {
				x.lives[at] = true
			}
			return true
		}
		for _, to := range x.after(at) {
			if _, met := from[to]; !met {
				from[to] = at
				todo = append(todo, to)
			}
		}
	}
	x.lives[i] = false
	return false
}

// after are states that follow i: by ASCII, else by the rest of a code point.
func (x *classed) after(i int32) (out []int32) {
	for _, run := range [][2]byte{{' ', 0x7e}, {0x80, 0xbf}} {
		for b := run[0]; b <= run[1]; b++ {
			if to, ok := x.take(i, b); ok {
				out = append(out, to)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// classOf is the sum that the text of a value has.
func classOf(text string) int {
	sum := 0
	for i := range len(text) {
		sum += int(text[i])
	}
	return sum % classes
}
