package checkpoint_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// refused checks that err is an *Error of a kind that names what it must.
func refused(t *testing.T, err error, kind error, names ...string) {
	t.Helper()
	var typed *checkpoint.Error
	if !errors.As(err, &typed) || !errors.Is(err, kind) {
		t.Errorf("error %v, want an Error of kind %v", err, kind)
		return
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("error %q, want it to name %q", err, name)
		}
	}
}

func set(f *checkpointtest.GGUF, key string, v any) {
	for i := range f.Meta {
		if f.Meta[i].Key == key {
			f.Meta[i].Value = v
			return
		}
	}
	f.Meta = append(f.Meta, checkpointtest.KV{Key: key, Value: v})
}

func unset(f *checkpointtest.GGUF, key string) {
	var kept []checkpointtest.KV
	for _, kv := range f.Meta {
		if kv.Key != key {
			kept = append(kept, kv)
		}
	}
	f.Meta = kept
}

type badGGUF struct {
	wrong func(f *checkpointtest.GGUF)
	kind  error
	names []string
}

// tensorOf panics without the tensor.
func tensorOf(f *checkpointtest.GGUF, name string) *checkpointtest.GGUFTensor {
	return &f.Tensors[slices.IndexFunc(f.Tensors, func(t checkpointtest.GGUFTensor) bool { return t.Name == name })]
}

func drop(f *checkpointtest.GGUF, name string) { tensorOf(f, name).Name = "spare" }

func count(n uint64) *uint64 { return &n }

const badTensor = "blk.0.attn_q.weight"

// badGGUFs are wrong in one place.
var badGGUFs = map[string]badGGUF{
	"version":             {func(f *checkpointtest.GGUF) { f.Version = 9 }, checkpoint.ErrUnsupported, []string{"version 9"}},
	"big-endian":          {func(f *checkpointtest.GGUF) { f.Version = 3 << 24 }, checkpoint.ErrUnsupported, []string{"big-endian"}},
	"architecture":        {func(f *checkpointtest.GGUF) { set(f, "general.architecture", "gemma3") }, checkpoint.ErrUnsupported, []string{`architecture "gemma3" is not supported`, "have llama, mistral, qwen2, qwen3"}},
	"no architecture":     {func(f *checkpointtest.GGUF) { unset(f, "general.architecture") }, checkpoint.ErrMissing, []string{"general.architecture"}},
	"architecture's type": {func(f *checkpointtest.GGUF) { set(f, "general.architecture", uint32(1)) }, checkpoint.ErrMalformed, []string{"general.architecture"}},
	"tensor count":        {func(f *checkpointtest.GGUF) { f.TensorCount = count(1 << 60) }, checkpoint.ErrMalformed, []string{"tensors"}},
	"metadata count":      {func(f *checkpointtest.GGUF) { f.MetaCount = count(math.MaxUint64) }, checkpoint.ErrMalformed, []string{"metadata"}},
	"string length": {func(f *checkpointtest.GGUF) {
		set(f, "x", checkpointtest.RawValue{Type: 8, Data: bytes.Repeat([]byte{0xff}, 8)})
	}, checkpoint.ErrMalformed, []string{"x"}},
	"array length": {func(f *checkpointtest.GGUF) {
		set(f, "x", checkpointtest.RawValue{Type: 9, Data: append([]byte{5, 0, 0, 0}, bytes.Repeat([]byte{0x3f}, 8)...)})
	}, checkpoint.ErrMalformed, []string{"x", "elements"}},
	"nested array": {func(f *checkpointtest.GGUF) {
		set(f, "x", checkpointtest.RawValue{Type: 9, Data: []byte{9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}})
	}, checkpoint.ErrMalformed, []string{"x", "array"}},
	"value type":        {func(f *checkpointtest.GGUF) { set(f, "x", checkpointtest.RawValue{Type: 77}) }, checkpoint.ErrMalformed, []string{"x", "77"}},
	"boolean":           {func(f *checkpointtest.GGUF) { set(f, "x", checkpointtest.RawValue{Type: 7, Data: []byte{2}}) }, checkpoint.ErrMalformed, []string{"x"}},
	"duplicate key":     {func(f *checkpointtest.GGUF) { f.Meta = append(f.Meta, f.Meta[0]) }, checkpoint.ErrMalformed, []string{"general.architecture"}},
	"alignment 0":       {func(f *checkpointtest.GGUF) { set(f, "general.alignment", uint32(0)) }, checkpoint.ErrMalformed, []string{"general.alignment"}},
	"alignment 48":      {func(f *checkpointtest.GGUF) { set(f, "general.alignment", uint32(48)) }, checkpoint.ErrMalformed, []string{"general.alignment"}},
	"no width":          {func(f *checkpointtest.GGUF) { unset(f, "llama.embedding_length") }, checkpoint.ErrMissing, []string{"llama.embedding_length"}},
	"heads by layer":    {func(f *checkpointtest.GGUF) { set(f, "llama.attention.head_count", []int32{4, 4}) }, checkpoint.ErrUnsupported, []string{"llama.attention.head_count"}},
	"no heads":          {func(f *checkpointtest.GGUF) { set(f, "llama.attention.head_count", uint32(0)) }, checkpoint.ErrMalformed, []string{"head count"}},
	"heads not divided": {func(f *checkpointtest.GGUF) { set(f, "llama.attention.head_count_kv", uint32(3)) }, checkpoint.ErrMalformed, []string{"key/value head count", "3", "4"}},
	"huge layers":       {func(f *checkpointtest.GGUF) { set(f, "llama.block_count", uint32(math.MaxUint32)) }, checkpoint.ErrMalformed, []string{"layer count"}},
	"one layer more":    {func(f *checkpointtest.GGUF) { set(f, "llama.block_count", uint32(3)) }, checkpoint.ErrMissing, []string{"model.layers.2.input_layernorm.weight"}},
	"one layer fewer":   {func(f *checkpointtest.GGUF) { set(f, "llama.block_count", uint32(1)) }, checkpoint.ErrUnsupported, []string{"model.layers.1."}},
	"odd head": {func(f *checkpointtest.GGUF) {
		set(f, "llama.attention.key_length", uint32(7))
		set(f, "llama.attention.value_length", uint32(7))
		set(f, "llama.rope.dimension_count", uint32(7))
	}, checkpoint.ErrMalformed, []string{"head dimension", "7"}},
	"heads of nothing": {func(f *checkpointtest.GGUF) {
		set(f, "llama.attention.key_length", uint32(0))
		set(f, "llama.rope.dimension_count", uint32(64))
	}, checkpoint.ErrMalformed, []string{"head dimension"}},
	"partial rope":         {func(f *checkpointtest.GGUF) { set(f, "llama.rope.dimension_count", uint32(4)) }, checkpoint.ErrUnsupported, []string{"llama.rope.dimension_count"}},
	"rope base":            {func(f *checkpointtest.GGUF) { set(f, "llama.rope.freq_base", float32(math.NaN())) }, checkpoint.ErrMalformed, []string{"rope theta"}},
	"epsilon":              {func(f *checkpointtest.GGUF) { set(f, "llama.attention.layer_norm_rms_epsilon", float32(math.NaN())) }, checkpoint.ErrMalformed, []string{"norm epsilon"}},
	"mistral":              {func(f *checkpointtest.GGUF) { set(f, "general.architecture", "mistral") }, checkpoint.ErrUnsupported, []string{"general.architecture", "llama"}},
	"rope scaling":         {func(f *checkpointtest.GGUF) { set(f, "llama.rope.scaling.type", "su") }, checkpoint.ErrUnsupported, []string{"llama.rope.scaling.type", "su"}},
	"linear without":       {func(f *checkpointtest.GGUF) { set(f, "llama.rope.scaling.type", "linear") }, checkpoint.ErrMissing, []string{"factor"}},
	"rope factors' number": {func(f *checkpointtest.GGUF) { f.Add("rope_freqs.weight", 0, []int{3}, make([]byte, 12)) }, checkpoint.ErrMismatch, []string{"rope_freqs.weight"}},
	"rope factors":         {func(f *checkpointtest.GGUF) { f.Add("rope_freqs.weight", 0, []int{4}, make([]byte, 16)) }, checkpoint.ErrMalformed, []string{"rope_freqs.weight"}},
	"rope factors' type":   {func(f *checkpointtest.GGUF) { f.Add("rope_freqs.weight", 1, []int{4}, make([]byte, 8)) }, checkpoint.ErrMismatch, []string{"rope_freqs.weight"}},
	"experts":              {func(f *checkpointtest.GGUF) { set(f, "llama.expert_count", uint32(8)) }, checkpoint.ErrUnsupported, []string{"llama.expert_count", "8"}},
	"split":                {func(f *checkpointtest.GGUF) { set(f, "split.count", uint32(2)) }, checkpoint.ErrMalformed, []string{"split.no", "NAME-00001-of-00002.gguf"}},
	"eos":                  {func(f *checkpointtest.GGUF) { set(f, "tokenizer.ggml.eos_token_id", uint32(64)) }, checkpoint.ErrMalformed, []string{"end-of-sequence id", "64"}},
	"more words than rows": {func(f *checkpointtest.GGUF) { set(f, "tokenizer.ggml.tokens", make([]string, 65)) }, checkpoint.ErrMismatch, []string{"tokenizer.ggml.tokens", "65", "64"}},
	"dimensions":           {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims = make([]uint64, 5) }, checkpoint.ErrMalformed, []string{badTensor, "5 dimensions"}},
	"dimension 0":          {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims[0] = 0 }, checkpoint.ErrMalformed, []string{badTensor}},
	"dimension overflow":   {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims = []uint64{1 << 32, 1 << 32} }, checkpoint.ErrMalformed, []string{badTensor}},
	"byte overflow":        {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims = []uint64{1 << 31, 1 << 31} }, checkpoint.ErrMalformed, []string{badTensor}},
	"dimension above int":  {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims[0] = 1 << 63 }, checkpoint.ErrMalformed, []string{badTensor}},
	"type":                 {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Type = 16 }, checkpoint.ErrUnsupported, []string{badTensor, "IQ2_XXS"}},
	"type unknown":         {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Type = 999 }, checkpoint.ErrUnsupported, []string{badTensor, "999"}},
	"half a block":         {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Type = 12 }, checkpoint.ErrMalformed, []string{badTensor, "Q4_K"}},
	"offset beyond":        {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Offset = 1 << 40 }, checkpoint.ErrMalformed, []string{badTensor}},
	"offset overflow":      {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Offset = math.MaxUint64 - 31 }, checkpoint.ErrMalformed, []string{badTensor}},
	"offset odd":           {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Offset += 8 }, checkpoint.ErrMalformed, []string{badTensor, "multiple of 32"}},
	"overlap": {func(f *checkpointtest.GGUF) {
		tensorOf(f, badTensor).Offset = tensorOf(f, "blk.0.attn_k.weight").Offset
	}, checkpoint.ErrMalformed, []string{"overlap"}},
	"cut short":         {func(f *checkpointtest.GGUF) { f.Data = f.Data[:len(f.Data)-1] }, checkpoint.ErrMalformed, []string{"output.weight"}},
	"duplicate tensor":  {func(f *checkpointtest.GGUF) { tensorOf(f, "blk.0.attn_k.weight").Name = badTensor }, checkpoint.ErrMalformed, []string{badTensor}},
	"shape":             {func(f *checkpointtest.GGUF) { tensorOf(f, badTensor).Dims = []uint64{16, 64} }, checkpoint.ErrMismatch, []string{"model.layers.0.self_attn.q_proj.weight", "[64 16]", "[32 32]"}},
	"missing":           {func(f *checkpointtest.GGUF) { drop(f, badTensor) }, checkpoint.ErrMissing, []string{"model.layers.0.self_attn.q_proj.weight"}},
	"missing embedding": {func(f *checkpointtest.GGUF) { drop(f, "token_embd.weight") }, checkpoint.ErrMissing, []string{"token_embd.weight"}},
	"unknown tensor":    {func(f *checkpointtest.GGUF) { f.Add("blk.0.ffn_gate_inp.weight", 0, []int{1}, make([]byte, 4)) }, checkpoint.ErrUnsupported, []string{"blk.0.ffn_gate_inp.weight"}},
	"a bias":            {func(f *checkpointtest.GGUF) { f.Add("blk.1.attn_q.bias", 0, []int{32}, make([]byte, 128)) }, checkpoint.ErrUnsupported, []string{"model.layers.1.self_attn.q_proj.bias"}},
}

// A file that is wrong in one place is refused, and the error names the place.
func TestBadGGUF(t *testing.T) {
	for name, test := range badGGUFs {
		t.Run(name, func(t *testing.T) {
			f := checkpointtest.New(checkpointtest.Small("llama"), 1).GGUF(checkpoint.F32)
			test.wrong(f)
			_, err := checkpoint.ReadGGUF(f.Bytes())
			refused(t, err, test.kind, append(test.names, "fuzz.gguf")...)
		})
	}
}

// TestCutGGUF cuts a file at every length: each is refused.
func TestCutGGUF(t *testing.T) {
	b := checkpointtest.New(checkpointtest.Small("qwen2"), 1).GGUF(checkpoint.Q8_0).Bytes()
	for n := range b {
		if n > 4000 && n%997 != 0 && n < len(b)-40 {
			continue
		}
		if _, err := checkpoint.ReadGGUF(b[:n:n]); !errors.Is(err, checkpoint.ErrMalformed) {
			t.Fatalf("cut to %d bytes: error %v", n, err)
		}
	}
}
