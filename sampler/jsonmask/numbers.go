package jsonmask

// numbers are those of the threads that one rest has to follow: few terminals, whose
// states are counted from 0.
type numbers struct {
	age   int // of the numbering that they are of
	terms []termNumbers
}

type termNumbers struct {
	term terminal
	ids  []int32 // by state; 0 is none yet
}

// number returns that of t, from 1 on.
func (m *machine) number(t thread) int32 {
	n := &m.last
	if t.rest != nil {
		n = &t.rest.numbers
	}
	if n.age != m.age {
		n.age, n.terms = m.age, n.terms[:0]
	}
	i := 0
	for i < len(n.terms) && n.terms[i].term != t.term {
		i++
	}
	if i == len(n.terms) {
		n.terms = append(n.terms, termNumbers{term: t.term})
	}
	x := &n.terms[i]
	for int(t.state) >= len(x.ids) {
		x.ids = append(x.ids, 0)
	}
	if x.ids[t.state] == 0 {
		m.threads++
		x.ids[t.state] = m.threads
	}
	return x.ids[t.state]
}
