package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"foretoken/model"
)

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
