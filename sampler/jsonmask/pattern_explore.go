package jsonmask

import "errors"

// A pattern with assertions beside ^ and $ has at most so many states, found by at
// most so many visits of instructions.
const (
	maxHardStates = 1 << 14
	maxHardWork   = 1 << 23
)

// explore meets every state.
func (p *pattern) explore() error {
	var from, heads []int32 // of steps
	for s := 0; s < len(p.states); s++ {
		for c := range p.classes.some {
			if to, ok := p.stepClass(int32(s), int32(c)); ok {
				from, heads = append(from, int32(s)), append(heads, to)
			}
			if len(p.states) > maxHardStates || p.work > maxHardWork {
				return errors.New("too many states, want fewer or simpler assertions and shorter repetitions")
			}
		}
	}
	p.measure(from, heads)
	return nil
}

// measure finds how far from every state a match is, given the steps between them.
func (p *pattern) measure(from, heads []int32) {
	before := make([][]int32, len(p.states))
	for i, to := range heads {
		before[to] = append(before[to], from[i])
	}
	var todo []int32
	for s := range p.states {
		if p.states[s].least = noMatch; p.states[s].atEnd {
			p.states[s].least = 0
			todo = append(todo, int32(s))
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, s := range before[todo[0]] {
			if n := p.states[todo[0]].least + 1; n < p.states[s].least {
				p.states[s].least = n
				todo = append(todo, s)
			}
		}
	}
}
