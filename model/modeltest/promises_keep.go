package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"foretoken/model"
)

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
