package checkpoint_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

type kv = checkpointtest.KV

// splits is a small model over n files, as llama-gguf-split makes them. with may make
// one of them wrong.
func splits(n int, with func(i int, f *checkpointtest.GGUF)) fstest.MapFS {
	whole := checkpointtest.New(checkpointtest.Small("qwen2"), 1).GGUF(checkpoint.Q8_0)
	folder := fstest.MapFS{}
	for i := range n {
		f := &checkpointtest.GGUF{Version: 3, Alignment: 32}
		if i == 0 {
			f.Meta = slices.Clone(whole.Meta)
		}
		f.Meta = append(f.Meta, kv{Key: "split.no", Value: uint32(i)}, kv{Key: "split.count", Value: uint32(n)},
			kv{Key: "split.tensors.count", Value: int32(len(whole.Tensors))})
		for j := i * len(whole.Tensors) / n; j < (i+1)*len(whole.Tensors)/n; j++ {
			t := whole.Tensors[j]
			end := uint64(len(whole.Data))
			if j+1 < len(whole.Tensors) {
				end = whole.Tensors[j+1].Offset
			}
			var shape []int
			for _, d := range t.Dims {
				shape = append([]int{int(d)}, shape...)
			}
			f.Add(t.Name, t.Type, shape, whole.Data[t.Offset:end])
		}
		if with != nil {
			with(i, f)
		}
		folder[splitFile(i, n)] = &fstest.MapFile{Data: f.Bytes()}
	}
	return folder
}

func splitFile(i, n int) string {
	return "m-0000" + string(rune('1'+i)) + "-of-0000" + string(rune('0'+n)) + ".gguf"
}

// TestSplits reads a model over three files as the same over one.
func TestSplits(t *testing.T) {
	m := checkpointtest.New(checkpointtest.Small("qwen2"), 1)
	want, err := checkpoint.ReadGGUF(m.GGUF(checkpoint.Q8_0).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	ck, err := checkpoint.OpenFS(splits(3, nil), "d")
	if err != nil {
		t.Fatal(err)
	}
	defer ck.Close()
	sameConfig(t, ck.Config, want.Config)
	for name, w := range want.Tensors {
		if g := ck.Tensors[name]; g.Type != w.Type || !slices.Equal(g.Shape, w.Shape) || !slices.Equal(g.Data, w.Data) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestBadSplits has one file wrong, or not there.
func TestBadSplits(t *testing.T) {
	set := func(i int, key string, v any) func(int, *checkpointtest.GGUF) {
		return func(j int, f *checkpointtest.GGUF) {
			if i != j {
				return
			}
			at := slices.IndexFunc(f.Meta, func(e kv) bool { return e.Key == key })
			if at < 0 {
				f.Meta = append(f.Meta, kv{Key: key, Value: v})
				return
			}
			f.Meta[at].Value = v
		}
	}
	for name, test := range map[string]struct {
		with  func(int, *checkpointtest.GGUF)
		then  func(fstest.MapFS)
		kind  error
		names []string
	}{
		"no second": {nil, func(d fstest.MapFS) {
			d["other.gguf"] = d[splitFile(1, 3)]
			delete(d, splitFile(1, 3))
		}, checkpoint.ErrMissing, []string{"config.json"}},
		"cut second":    {nil, func(d fstest.MapFS) { d[splitFile(1, 3)].Data = d[splitFile(1, 3)].Data[:900] }, checkpoint.ErrMalformed, []string{splitFile(1, 3)}},
		"empty third":   {nil, func(d fstest.MapFS) { d[splitFile(2, 3)].Data = nil }, checkpoint.ErrMalformed, []string{splitFile(2, 3)}},
		"twice":         {nil, func(d fstest.MapFS) { d[splitFile(2, 3)] = d[splitFile(1, 3)] }, checkpoint.ErrMismatch, []string{splitFile(2, 3), "split.no"}},
		"other count":   {set(1, "split.count", uint32(4)), nil, checkpoint.ErrMismatch, []string{splitFile(1, 3), "split.count"}},
		"other tensors": {set(0, "split.tensors.count", int32(5)), nil, checkpoint.ErrMismatch, []string{splitFile(1, 3), "split.tensors.count"}},
		"other model":   {set(2, "general.architecture", "llama"), nil, checkpoint.ErrMismatch, []string{splitFile(2, 3), "general.architecture", "qwen2"}},
		"number":        {set(0, "split.no", uint32(7)), nil, checkpoint.ErrMalformed, []string{splitFile(0, 3), "split.no"}},
		"more files":    {set(0, "split.count", uint32(4)), nil, checkpoint.ErrMalformed, []string{splitFile(0, 3), "split.no", "-of-00004.gguf"}},
		"tensor twice":  {func(i int, f *checkpointtest.GGUF) { f.Tensors[0].Name = "token_embd.weight" }, nil, checkpoint.ErrMalformed, []string{"token_embd.weight"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := splits(3, test.with)
			if test.then != nil {
				test.then(folder)
			}
			_, err := checkpoint.OpenFS(folder, "d")
			refused(t, err, test.kind, test.names...)
		})
	}
}

// TestSplitAlone opens a split by its own name: the first reads the others, another names
// the first.
func TestSplitAlone(t *testing.T) {
	dir := t.TempDir()
	for name, f := range splits(2, nil) {
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ck, err := checkpoint.Open(filepath.Join(dir, splitFile(0, 2)))
	if err != nil {
		t.Fatal(err)
	}
	ck.Close()
	_, err = checkpoint.Open(filepath.Join(dir, splitFile(1, 2)))
	refused(t, err, checkpoint.ErrUnsupported, splitFile(1, 2), splitFile(0, 2)+", the first")
	if err := os.Remove(filepath.Join(dir, splitFile(1, 2))); err != nil {
		t.Fatal(err)
	}
	_, err = checkpoint.Open(filepath.Join(dir, splitFile(0, 2)))
	refused(t, err, checkpoint.ErrMissing, splitFile(1, 2), "2 files")
}

// FuzzSplits reads a model over two files.
func FuzzSplits(f *testing.F) {
	seed := splits(2, nil)
	f.Add(seed[splitFile(0, 2)].Data[:2500], seed[splitFile(1, 2)].Data[:2500])
	small := splits(2, func(_ int, f *checkpointtest.GGUF) { f.Tensors, f.Data = nil, nil })
	f.Add(small[splitFile(0, 2)].Data, small[splitFile(1, 2)].Data)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		ck, err := checkpoint.OpenFS(fstest.MapFS{splitFile(0, 2): {Data: a}, splitFile(1, 2): {Data: b}}, "fuzz")
		if err != nil {
			typed(t, err)
			return
		}
		readable(t, slices.Collect(maps.Values(ck.Tensors)))
	})
}
