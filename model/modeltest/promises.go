package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"foretoken/model"
)

// splits divides a sequence at random, from single tokens to one block.
func splits(k *kit) error {
	ids := k.tokens(40)
	want, err := k.plain(ids)
	if err != nil {
		return err
	}
	for _, most := range []int{2, 5, 9, 17, 40, 3} {
		s, err := k.session(nil)
		if err != nil {
			return err
		}
		for at := 0; at < len(ids); {
			n := min(1+k.rng.IntN(most), len(ids)-at)
			if most == 40 {
				n = len(ids)
			}
			rows := k.rng.IntN(n + 1)
			got, err := k.forward(s, ids[at:at+n], rows)
			if err != nil {
				return err
			}
			at += n
			if err := k.same(fmt.Sprintf("block of %d ending at %d", n, at), got, want[at-rows:at]); err != nil {
				return err
			}
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

// trims drafts, trims and goes on, as speculation does.
func trims(k *kit) error {
	ids := k.tokens(32)
	want, err := k.plain(ids)
	if err != nil {
		return err
	}
	s, err := k.session(nil)
	if err != nil {
		return err
	}
	for at := 0; at < len(ids); {
		n := min(1+k.rng.IntN(4), len(ids)-at)
		wrong := slices.Concat(ids[at:at+n], k.tokens(k.rng.IntN(5)))
		if _, err := k.forward(s, wrong, len(wrong)); err != nil {
			return err
		}
		if err := s.Trim(at + n - 1); err != nil {
			return fmt.Errorf("trim to %d of %d: %w", at+n-1, s.Len(), err)
		}
		got, err := k.forward(s, ids[at+n-1:at+n], 1)
		if err != nil {
			return err
		}
		if at += n; k.same("", got, want[at-1:at]) != nil {
			return k.same(fmt.Sprintf("after a trim, position %d", at-1), got, want[at-1:at])
		}
	}
	if err := s.Trim(0); err != nil {
		return err
	}
	got, err := k.forward(s, ids, 1)
	if err != nil {
		return err
	}
	return errors.Join(k.same("after a trim to nothing", got, want[len(ids)-1:]), s.Close())
}

// failures asks for what cannot be done and then goes on.
func failures(k *kit) error {
	ids := k.tokens(10)
	want, err := k.plain(ids)
	if err != nil {
		return err
	}
	s, err := k.session(ids[:9])
	if err != nil {
		return err
	}
	vocab := model.Token(k.m.Info().Vocab)
	for _, bad := range [][]model.Token{{vocab}, {-1}, {ids[0], vocab}} {
		if _, err := s.Forward(bad, 1); err == nil {
			return fmt.Errorf("tokens %v are taken", bad)
		}
	}
	for _, rows := range []int{-1, 3} {
		if _, err := s.Forward(ids[:2], rows); err == nil {
			return fmt.Errorf("%d rows of 2 tokens are given", rows)
		}
	}
	for _, n := range []int{-1, s.Len() + 1} {
		if err := s.Trim(n); err == nil {
			return fmt.Errorf("a trim of %d tokens to %d is done", s.Len(), n)
		}
	}
	if most := k.m.Info().Context; most > 0 && most < 1<<16 {
		if _, err := s.Forward(k.tokens(most-s.Len()+1), 0); err == nil {
			return fmt.Errorf("%d tokens fit a context of %d", most+1, most)
		}
	}
	if s.Len() != 9 {
		return fmt.Errorf("%d cached after failures, want 9", s.Len())
	}
	got, err := k.forward(s, ids[9:], 1)
	if err != nil {
		return err
	}
	return errors.Join(k.same("after failures", got, want[9:]), s.Close())
}

// outlives reads rows before and after a trim.
func outlives(k *kit) error {
	s, err := k.session(k.tokens(5))
	if err != nil {
		return err
	}
	l, err := s.Forward(k.tokens(4), 4)
	if err != nil {
		return err
	}
	before, err := k.read(l, 4)
	if err != nil {
		return err
	}
	if err := s.Trim(6); err != nil {
		return err
	}
	after, err := k.read(l, 4)
	if err != nil {
		return err
	}
	return errors.Join(same("after Trim", after, before, 0), s.Close())
}
