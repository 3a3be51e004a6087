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

func argmaxes(k *kit) error {
	s, err := k.session(k.tokens(3))
	if err != nil {
		return err
	}
	for range 4 {
		l, err := s.Forward(k.tokens(5), 5)
		if err != nil {
			return err
		}
		ids, err := l.Argmaxes()
		if err != nil {
			return err
		}
		rows, err := k.read(l, 5)
		if err != nil {
			return err
		}
		again, err := l.Argmaxes()
		if err != nil || !slices.Equal(ids, again) {
			return fmt.Errorf("asked twice: %v, then %v (%v)", ids, again, err)
		}
		for i, row := range rows {
			if want := slices.Index(row, slices.Max(row)); len(ids) != 5 || int(ids[i]) != want {
				return fmt.Errorf("%v, want %d for row %d", ids, want, i)
			}
		}
	}
	return s.Close()
}

// lends compares the rows that are lent with those that are copied.
func lends(k *kit) error {
	s, err := k.session(k.tokens(3))
	if err != nil {
		return err
	}
	l, err := s.Forward(k.tokens(4), 3)
	if err != nil {
		return err
	}
	if v, ok := model.As[model.RowView](l); ok {
		want, err := k.read(l, 3)
		if err != nil {
			return err
		}
		for i := range want {
			row, err := v.View(i)
			if err != nil {
				return err
			}
			if err := same(fmt.Sprintf("lent row %d", i), [][]float32{row}, want[i:i+1], 0); err != nil {
				return err
			}
		}
		for _, i := range []int{-1, 3} {
			if _, err := v.View(i); err == nil {
				return fmt.Errorf("row %d of 3 is lent", i)
			}
		}
	}
	return s.Close()
}

// apart runs two sessions in turn.
func apart(k *kit) error {
	a, b := k.tokens(12), k.tokens(12)
	wantA, err := k.plain(a)
	if err != nil {
		return err
	}
	wantB, err := k.plain(b)
	if err != nil {
		return err
	}
	sa, err := k.session(nil)
	if err != nil {
		return err
	}
	sb, err := k.session(nil)
	if err != nil {
		return err
	}
	for i := 0; i < 12; i += 3 {
		gotA, errA := k.forward(sa, a[i:i+3], 3)
		gotB, errB := k.forward(sb, b[i:i+3], 3)
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if err := errors.Join(k.same("first session", gotA, wantA[i:i+3]), k.same("second session", gotB, wantB[i:i+3])); err != nil {
			return err
		}
	}
	return errors.Join(sa.Close(), sb.Close())
}

// firstLayers checks that all layers are the model itself and fewer are another.
func firstLayers(k *kit) error {
	skipper, ok := model.As[model.LayerSkipper](k.m)
	if !ok || k.m.Info().Layers < 2 {
		return nil
	}
	for _, n := range []int{-1, 0, k.m.Info().Layers + 1} {
		if _, err := skipper.FirstLayers(n); err == nil {
			return fmt.Errorf("%d of %d layers are a model", n, k.m.Info().Layers)
		}
	}
	first, err := skipper.FirstLayers(1)
	if err != nil {
		return err
	}
	if first.Info().Layers > 1 || first.Info().Vocab != k.m.Info().Vocab {
		return fmt.Errorf("one layer of %+v is %+v", k.m.Info(), first.Info())
	}
	ids := k.tokens(6)
	whole, err := k.plain(ids)
	if err != nil {
		return err
	}
	part, err := (&kit{first, k.rng, k.tolerance}).plain(ids)
	if err != nil {
		return err
	}
	if k.same("", part, whole) == nil {
		return errors.New("one layer gives the logits of all")
	}
	return errors.Join(splits(&kit{first, k.rng, k.tolerance}), trims(&kit{first, k.rng, k.tolerance}))
}

// keeps forwards random trees and keeps a random path of each.
func keeps(k *kit) error {
	if s, err := k.m.NewSession(); err != nil {
		return err
	} else if _, ok := model.As[model.TreeForwarder](s); !ok {
		return s.Close()
	}
	for range 50 {
		if err := k.keepOne(); err != nil {
			return err
		}
	}
	return nil
}

func (k *kit) keepOne() error {
	prefix, tokens := k.tokens(1+k.rng.IntN(5)), k.tokens(1+k.rng.IntN(9))
	var parents []int
	for i := range tokens {
		parents = append(parents, k.rng.IntN(i+1)-1)
	}
	var path []int
	for i := k.rng.IntN(len(tokens)+1) - 1; i >= 0; i = parents[i] {
		path = append(path, i)
	}
	slices.Reverse(path)
	kept := slices.Clone(prefix)
	for _, i := range path {
		kept = append(kept, tokens[i])
	}
	tail := k.tokens(2)
	want, err := k.plain(slices.Concat(kept, tail))
	if err != nil {
		return err
	}
	s, err := k.session(prefix)
	if err != nil {
		return err
	}
	tree, _ := model.As[model.TreeForwarder](s) // keeps has asked
	l, err := tree.ForwardTree(tokens, parents)
	if err != nil {
		return err
	}
	rows, err := k.read(l, len(tokens))
	if err != nil {
		return err
	}
	for i, node := range path {
		if err := k.same(fmt.Sprintf("node %d", node), rows[node:node+1], want[len(prefix)+i:len(prefix)+i+1]); err != nil {
			return err
		}
	}
	if err := tree.Keep(path); err != nil {
		return err
	}
	if s.Len() != len(kept) {
		return fmt.Errorf("%d cached after Keep, want %d", s.Len(), len(kept))
	}
	got, err := k.forward(s, tail, 2)
	if err != nil {
		return err
	}
	return errors.Join(k.same("after Keep", got, want[len(kept):]), s.Close())
}
