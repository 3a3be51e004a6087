// Package cost says what a forward of n rows costs on an engine, and from that,
// before anything is run, whether a pair of models pays.
package cost

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"foretoken/model"
)

// A Curve is t(n): the time of a forward of n rows behind a text, up to the best id
// of every row. Times[n-1] is the median of t(n).
type Curve struct {
	Context int // tokens of the text
	Times   []time.Duration
}

// Measure times forwards of 1 to most rows behind a text of context random tokens,
// repeats times each, in turns. Every shape is computed twice before: first use of
// one compiles on some engines.
func Measure(ctx context.Context, m model.Model, most, length, repeats int) (c Curve, err error) {
	info := m.Info()
	if info.Context > 0 && length+most > info.Context {
		return c, fmt.Errorf("cost: %d rows after %d tokens: want at most %d in all, the context of %s", most, length, info.Context, info.Name)
	}
	s, err := m.NewSession()
	if err != nil {
		return c, err
	}
	defer func() {
		if e := s.Close(); err == nil {
			err = e
		}
	}()
	rng := rand.New(rand.NewPCG(1, 1))
	text := make([]model.Token, length+most)
	for i := range text {
		text[i] = model.Token(rng.IntN(info.Real))
	}
	if _, err := s.Forward(text[:length], 0); err != nil {
		return c, err
	}
	times := make([][]time.Duration, most)
	for r := -2; r < repeats; r++ {
		for n := 1; n <= most; n++ {
			d, err := round(s, text[length:length+n])
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return c, err
			}
			if r >= 0 {
				times[n-1] = append(times[n-1], d)
			}
		}
	}
	c.Context = length
	for _, t := range times {
		slices.Sort(t)
		c.Times = append(c.Times, t[(len(t)-1)/2])
	}
	return c, nil
}

// round is one verify, rolled back.
func round(s model.Session, tokens []model.Token) (time.Duration, error) {
	started := time.Now()
	l, err := model.Batch{Tokens: tokens}.Forward(s)
	if err == nil {
		_, err = l.Argmaxes()
	}
	d := time.Since(started)
	if err != nil {
		return 0, err
	}
	return d, s.Trim(s.Len() - len(tokens))
}

// Ratio is t(n)/t(1).
func (c Curve) Ratio(n int) float64 { return float64(c.Times[n-1]) / float64(c.Times[0]) }
