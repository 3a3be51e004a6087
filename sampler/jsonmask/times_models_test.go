//go:build models

package jsonmask

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/model/tokenizer"
	"foretoken/sampler"
)

// Our masks on the cases that scripts/bench_masks.py wrote when it timed others'.
// It is one run whatever b.N: read its log with -v -benchtime 1x.
func BenchmarkMasks(t *testing.B) {
	f, err := os.Open(filepath.Join(modeltest.Real(t), "masks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tok, err := tokenizer.Open(filepath.Join(modeltest.Real(t), "qwen3"))
	if err != nil {
		t.Fatal(err)
	}
	tokens := make([][]byte, 151936)
	for i := range min(tok.Vocab(), len(tokens)) {
		if x := model.Token(i); !tok.Special(x) {
			tokens[i] = tok.Bytes(x)
		}
	}
	start := time.Now()
	v := NewVocabulary(tokens, []model.Token{151645})
	t.Logf("vocabulary %v, %d nodes, %d closing", time.Since(start), len(v.all.nodes), len(v.closing.tokens))
	var build, masks, again []time.Duration
	for in := bufio.NewScanner(f); in.Scan(); {
		var c struct {
			Schema json.RawMessage
			IDs    []model.Token
		}
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		e, err := Schema(v, c.Schema)
		build = append(build, time.Since(start))
		if err != nil {
			t.Errorf("%s: %v", c.Schema, err)
			continue
		}
		masks = append(masks, follow(t, e, c.IDs)...)
		again = append(again, follow(t, e, c.IDs)...) // another text of the same engine
	}
	slices.Sort(build)
	slices.Sort(masks)
	slices.Sort(again)
	quantile := func(x []time.Duration, percent int) time.Duration { return x[(len(x)-1)*percent/100] }
	t.Logf("%d schemas, engine median %v", len(build), quantile(build, 50))
	for _, m := range [][]time.Duration{masks, again} {
		t.Logf("%d masks, median %v, p90 %v, p99 %v, worst %v", len(m), quantile(m, 50), quantile(m, 90), quantile(m, 99), quantile(m, 100))
	}
}

// follow times the mask before each of ids.
func follow(t testing.TB, e sampler.ConstraintEngine, ids []model.Token) []time.Duration {
	var out []time.Duration
	allowed := model.NewMask(151936)
	for i, x := range ids {
		start := time.Now()
		err := e.Mask(allowed)
		out = append(out, time.Since(start))
		if err == nil && !allowed.Has(x) {
			t.Errorf("token %d, %d, is not allowed", i, x)
			break
		}
		if e, err = e.Next(x); err != nil {
			t.Errorf("token %d: %v", i, err)
			break
		}
	}
	return out
}
