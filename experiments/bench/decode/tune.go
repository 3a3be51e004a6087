package decode

import (
	"context"
	"fmt"
	"runtime"
)

// Tuning is what is tried, in short runs, for the peer's best settings.
type Tuning struct {
	Llama   Llama
	Texts   []Text // one of each domain
	Tokens  int
	Threads []int // tried with plain decoding; one is taken as it is
	K       []int // draft lengths, tried for each way that drafts
}

// Threads are the counts worth trying on this machine.
func Threads() []int {
	all := runtime.GOMAXPROCS(0)
	if all < 2 {
		return []int{all}
	}
	return []int{all, all / 2}
}

// Settle finds the threads at which plain decoding is fastest, and then each drafting
// way's draft length. The samples go to the plan's store like any other.
func (t Tuning) Settle(ctx context.Context, ways []Way, p Plan) (l Llama, best []Way, err error) {
	p.Rounds, p.TextRounds = 0, 1
	l = t.Llama
	l.Threads = t.Threads[0]
	if len(t.Threads) > 1 && len(ways) > 0 {
		var tries []try
		for _, n := range t.Threads {
			l.Threads = n
			tries = append(tries, t.try(l, ways[0], fmt.Sprintf("%s, threads=%d", ways[0], n)))
		}
		i, err := t.fastest(ctx, tries, p)
		if err != nil {
			return l, nil, err
		}
		l.Threads = t.Threads[i]
	}
	for _, w := range ways {
		if w.K == 0 {
			best = append(best, w)
			continue
		}
		var tries []try
		for _, k := range t.K {
			tries = append(tries, t.try(l, w.With(k), w.With(k).String()))
		}
		i, err := t.fastest(ctx, tries, p)
		if err != nil {
			return l, nil, err
		}
		best = append(best, w.With(t.K[i]))
	}
	return l, best, nil
}

// A try is a setting as an arm.
type try = Arm

func (t Tuning) try(l Llama, w Way, name string) try {
	a := l.Texts("tried: "+name, w, t.Texts, t.Tokens)
	for i := range a.Tasks {
		a.Tasks[i].Name = "setting"
	}
	return a
}

// fastest is the index of the try that takes the least over the texts.
func (t Tuning) fastest(ctx context.Context, tries []try, p Plan) (int, error) {
	if len(tries) == 1 {
		return 0, nil
	}
	samples, err := Run(ctx, tries, p)
	if err != nil {
		return 0, err
	}
	best, least := 0, 0.0
	for i, a := range tries {
		sum := 0.0
		for _, s := range samples {
			if s.Arm == a.Name {
				sum += s.MS
			}
		}
		if i == 0 || sum < least {
			best, least = i, sum
		}
	}
	return best, nil
}
