// Package cost says what a forward of n rows costs on an engine, and from that,
// before anything is run, whether a pair of models pays.
package cost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"foretoken/model"
	"foretoken/stat"
)

// A Curve is t(n): the time of a forward of n rows behind a text, up to the best id of every
// row. Measurement i of every n, and of the draft, is of one turn.
type Curve struct {
	Context int               // tokens of the text
	Target  [][]time.Duration // [n-1][turn]
	Draft   []time.Duration   // [turn], one row of a draft model; nil without one
}

// Measure times forwards of 1 to most rows of a target, and of one row of a draft where it
// is not nil, behind a text of context random tokens, repeats times each, in turns, so that
// a change of the machine's state falls on all. Every shape is computed twice before: first
// use of one compiles on some engines.
func Measure(ctx context.Context, target, draft model.Model, most, length, repeats int) (c Curve, err error) {
	info := target.Info()
	if info.Context > 0 && length+most > info.Context {
		return c, fmt.Errorf("cost: %d rows after %d tokens: want at most %d in all, the context of %s", most, length, info.Context, info.Name)
	}
	t, err := started(target, length, most)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	var d *timed
	if draft != nil {
		if d, err = started(draft, length, 1); err != nil {
			return c, err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
	}
	c = Curve{Context: length, Target: make([][]time.Duration, most)}
	for r := -2; r < repeats; r++ {
		for n := 1; n <= most; n++ {
			took, err := t.forward(ctx, n)
			if err != nil {
				return c, err
			}
			if r >= 0 {
				c.Target[n-1] = append(c.Target[n-1], took)
			}
		}
		if d == nil {
			continue
		}
		took, err := d.forward(ctx, 1)
		if err != nil {
			return c, err
		}
		if r >= 0 {
			c.Draft = append(c.Draft, took)
		}
	}
	return c, nil
}

// timed is a session that holds a text, with the tokens that follow it.
type timed struct {
	model.Session
	next []model.Token
}

func started(m model.Model, length, most int) (*timed, error) {
	s, err := m.NewSession()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	text := make([]model.Token, length+most)
	for i := range text {
		text[i] = model.Token(rng.IntN(m.Info().Real))
	}
	if _, err := s.Forward(text[:length], 0); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &timed{s, text[length:]}, nil
}

// forward is one verify of n rows, rolled back.
func (t *timed) forward(ctx context.Context, n int) (time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	begun := time.Now()
	l, err := model.Batch{Tokens: t.next[:n]}.Forward(t.Session)
	if err == nil {
		_, err = l.Argmaxes()
	}
	took := time.Since(begun)
	if err != nil {
		return 0, err
	}
	return took, t.Trim(t.Len() - n)
}

// Rows is the most rows that were measured.
func (c Curve) Rows() int { return len(c.Target) }

// Time is the median of t(n).
func (c Curve) Time(n int) time.Duration { return median(c.Target[n-1], c.turns()) }

// turns are the measurements, by number.
func (c Curve) turns() []int { return every(len(c.Target[0])) }

// ratio is t(n)/t(1), medians over some turns.
func (c Curve) ratio(n int, turns []int) float64 {
	return float64(median(c.Target[n-1], turns)) / float64(median(c.Target[0], turns))
}

// draft is c, the time of a drafted token in t(1), over some turns.
func (c Curve) draft(turns []int) float64 {
	return float64(median(c.Draft, turns)) / float64(median(c.Target[0], turns))
}

// median is of the times of some turns.
func median(times []time.Duration, turns []int) time.Duration {
	some := make([]time.Duration, len(turns))
	for i, t := range turns {
		some[i] = times[t]
	}
	return stat.Median(some)
}

// every is all of n, by number.
func every(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
