package load_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/load"
)

// TestHead opens a head by name for a target, and feeds it the target's states.
func TestHead(t *testing.T) {
	world(t)
	m := small(300)
	put(t, "models/x", "")
	if err := m.WriteGGUF(filepath.Join("models", "tiny.gguf"), checkpoint.Q8_0); err != nil {
		t.Fatal(err)
	}
	head := func(name string, with func(*checkpointtest.Head)) {
		h := checkpointtest.NewHead(m.Config, []int{0, 2}, 1)
		for i, id := range h.Words { // those that the tokenizer has
			if id >= words {
				h.Words = h.Words[:i]
				break
			}
		}
		lm := &h.Tensors[len(h.Tensors)-1]
		lm.Shape = []int{len(h.Words), 32}
		lm.Values = lm.Values[:len(h.Words)*32]
		h.Config["draft_vocab_size"] = len(h.Words)
		with(h)
		dir := filepath.Join("models", name)
		if err := errors.Join(os.Mkdir(dir, 0o755), h.Write(dir, checkpoint.Q8_0)); err != nil {
			t.Fatal(err)
		}
	}
	head("crown", func(*checkpointtest.Head) {})
	head("high", func(h *checkpointtest.Head) { h.Words[len(h.Words)-1] = words })
	head("deep", func(h *checkpointtest.Head) { h.Config["taps"] = []int{0, 3} })
	l, err := load.Open("tiny")
	if err != nil {
		t.Fatal(err)
	}
	h, err := l.Head("crown")
	if err != nil {
		t.Fatal(err)
	}
	if info := h.Info(); info.Name != "crown" || info.Vocab != 300 || info.Real != words {
		t.Errorf("%+v", info)
	}
	target, err := h.NewTarget(l.Model)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.Forward([]model.Token{1, 2}, 0); err != nil {
		t.Fatal(err)
	}
	states, err := target.(model.HiddenTap).Hidden(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	logits, err := s.ForwardStates(states, []model.Token{2, 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if best, err := logits.Argmaxes(); err != nil || len(best) != 2 || best[0]%3 != 1 {
		t.Errorf("%v, %v: want two ids that the head has", best, err)
	}
	for name, want := range map[string]string{
		"high":                               "it proposes id 261, want below 261, the words of tiny",
		"deep":                               "states after [0 3] layers: want at most 2, the layers of tiny",
		"nothing":                            `no such model: "nothing"`,
		filepath.Join("models", "tiny.gguf"): "a file is not supported, want the folder of a head",
	} {
		if _, err := l.Head(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
