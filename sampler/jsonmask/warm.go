package jsonmask

// What most texts go through is known before the first: an engine finds, when it is
// made, the tokens along two texts of its own, one with every property that the schema
// declares and one with those it requires, as models space them.

const (
	warmDepth   = 3       // of objects and lists in such a text
	warmText    = 2048    // bytes of one
	warmConfigs = 4096    // how many states are met before it ends there
	warmNodes   = 1 << 18 // and how many nodes of the vocabulary
)

// warm finds the tokens along texts of root.
func (g *grammar) warm(root *value) {
	for _, all := range []bool{false, true} {
		s := example{all: all}
		if kinds := s.kinds(root, 0); len(kinds) > 0 {
			kinds[len(kinds)-1]()
		}
		at, last := g.m.start, byte(0)
		for i, b := range s.text {
			if g.m.count > warmConfigs || g.walked > warmNodes {
				return
			}
			// Few tokens end between a quote and what follows it, or a brace and a name.
			if last != '"' || !punctuation.has(b) {
				g.tokens(at)
			}
			to := g.m.step(at, b)
			switch {
			case to == nil && b == ' ': // the options have no blanks
				continue
			case to == nil:
				return
			}
			at, last = to, s.text[i]
		}
		g.tokens(at)
	}
}

var punctuation = setOf(":,]}")
