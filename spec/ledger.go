package spec

// A ledger keeps the rounds of a generation. A round becomes final when no token of it can
// be cut any more; only then are its facts written.
type ledger struct {
	open   []entry // in order; not final
	before int     // tokens of the final rounds
	final  []Round
	judged []Round // every round as judged, for length policies: nothing of it cut
}

// An entry is a round whose tokens may yet be cut.
type entry struct {
	round  Round   // its times, and how much was drafted
	levels []level // one a token, in order
	path   int     // how many of the tokens are drafts
}

// A level is what was refused before the token at a depth stood.
type level struct{ refused, killed int }

// add enters a round that emitted a token for every level, the first path of them drafts.
func (l *ledger) add(r Round, levels []level, path int) {
	e := entry{r, levels, path}
	l.open = append(l.open, e)
	l.judged = append(l.judged, e.facts(len(levels)))
}

// facts are those of the first kept tokens: what was cut is as if it had never been judged.
func (e entry) facts(kept int) Round {
	r := e.round
	r.Accepted, r.Next, r.Judged = min(kept, e.path), max(kept-e.path, 0), min(kept, e.path)
	for _, at := range e.levels[:kept] {
		r.Judged += at.refused
		r.Killed += at.killed
	}
	return r
}

// release makes final the rounds of the first sent tokens; where the text is done, of all
// tokens that there are.
func (l *ledger) release(sent int, done bool) []Round {
	from := len(l.final)
	for len(l.open) > 0 {
		e := l.open[0]
		kept := len(e.levels)
		if done {
			kept = max(0, min(kept, sent-l.before))
		} else if l.before+kept > sent {
			break
		}
		l.final = append(l.final, e.facts(kept))
		l.before += kept
		l.open = l.open[1:]
	}
	return l.final[from:len(l.final):len(l.final)]
}
