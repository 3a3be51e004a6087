package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"foretoken/model"
)

// A Head is an open EAGLE-3 head (Li et al. 2025): one decoder layer that reads a
// token's embedding beside what fc makes of the target's hidden states, and words
// of its own. The embedding is the target's.
//
// Config is of the layer, except that Vocab is the target's. Tensors, besides a
// layer's: fc.weight [Hidden, taps*Hidden]; layer.input_layernorm.weight over the
// embedding and layer.hidden_norm.weight over the state, whose results stand in this
// order before q, k and v, [.., 2*Hidden] each; norm.weight; lm_head.weight
// [len(Words), Hidden].
type Head struct {
	*Checkpoint
	Target string        // the model it was trained for, by name; "" is not said
	Taps   []int         // which states: those after so many layers of the target, ascending
	Words  []model.Token // the target's ids of the rows of lm_head, ascending
}

const (
	headType  = "eagle3"
	wordsName = "words"
)

// OpenHead reads a folder with the config.json and the model.safetensors of a head.
// Errors are those of Open.
func OpenHead(path string) (*Head, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if !info.IsDir() {
		return nil, unsupported(path, "", "a file", "the folder of a head, with config.json and model.safetensors")
	}
	return OpenHeadFS(os.DirFS(path), path)
}

// OpenHeadFS reads a head from any file system. path is what messages call it.
func OpenHeadFS(fsys fs.FS, path string) (*Head, error) {
	h := &Head{Checkpoint: &Checkpoint{Path: path, fsys: fsys, dir: path}}
	if _, err := opened(h.Checkpoint, func(*Checkpoint) error { return h.read() }); err != nil {
		return nil, err
	}
	return h, nil
}

func (h *Head) read() error {
	config, err := h.readJSON(configName)
	if err != nil {
		return err
	}
	rows, err := h.parse(config)
	if err != nil {
		return err
	}
	f, err := h.open(weightsName)
	if err != nil {
		return err
	}
	entries, data, err := parseSafetensors(f.path, f.data)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == wordsName })
	if i < 0 {
		return missing(f.path, wordsName, fmt.Sprintf("shape [%d] of I32, the target's ids", rows))
	}
	if h.Words, err = parseWords(f.path, entries[i], data, rows, h.Config.Vocab); err != nil {
		return err
	}
	if err := h.addAll(f.path, slices.Delete(entries, i, i+1), data); err != nil {
		return err
	}
	return h.hold(maps.All(h.shapes()))
}

// parse reads the text of config.json. rows is how many words the head has.
func (h *Head) parse(config []byte) (rows int, err error) {
	f, err := parseFields(h.at(configName), config)
	if err != nil {
		return 0, err
	}
	if kind := or(f, "model_type", ""); f.err == nil && kind != headType {
		return 0, unsupported(f.file, "model_type", fmt.Sprintf("%q for a head", kind), headType)
	}
	if h.stored, err = f.refuse(); err != nil {
		return 0, err
	}
	if h.stored.mlx != nil {
		return 0, unsupported(f.file, "quantization", "a head that MLX quantised", "F32, F16 or BF16 safetensors, or int8-groups of 32")
	}
	c := Config{Name: filepath.Base(h.Path), Architecture: headType, Layers: 1, BOS: -1}
	c.Hidden = need(f, "hidden_size")
	c.Heads = need(f, "num_attention_heads")
	c.KVHeads = or(f, "num_key_value_heads", c.Heads)
	c.HeadDim = f.headDim(c)
	c.Intermediate = need(f, "intermediate_size")
	c.Vocab = need(f, "vocab_size")
	c.NormEps = float32(or(f, "rms_norm_eps", 1e-6))
	f.rope(&c)
	rows = need(f, "draft_vocab_size")
	h.Target = or(f, "target", "")
	taps, ok := get[[]int](f, "taps")
	switch {
	case f.err != nil:
		return 0, f.err
	case !ok || len(taps) == 0:
		return 0, missing(f.file, "taps", "counts of the target's layers, such as [3, 16, 29]")
	case len(taps) > 1<<8 || taps[0] < 0 || taps[len(taps)-1] > maxLayers || !ascending(taps):
		return 0, malformed(f.file, "taps", "ascending counts of layers", "%v", taps)
	case c.RopeChanges():
		return 0, unsupported(f.file, "rope_scaling", c.RopeScaling.Type+" rope for a head", "one whose angles do not depend on the length of the text")
	case rows < 1 || rows > c.Vocab:
		return 0, malformed(f.file, "draft_vocab_size", fmt.Sprintf("1 to %d, the target's vocabulary", c.Vocab), "%d", rows)
	}
	h.Config, h.Taps = c, taps
	return rows, c.check(f.file, jsonKeys)
}

// shapes is what the head consists of, but for its words.
func (h *Head) shapes() map[string][]int {
	c := h.Config
	shapes := map[string][]int{"fc.weight": {c.Hidden, len(h.Taps) * c.Hidden}, "layer.hidden_norm.weight": {c.Hidden},
		"norm.weight": {c.Hidden}, "lm_head.weight": {len(h.Words), c.Hidden}}
	for _, t := range c.layer() {
		if !t.on {
			continue
		}
		switch t.name {
		case "self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight":
			t.shape[1] = 2 * c.Hidden
		}
		shapes["layer."+t.name] = t.shape
	}
	return shapes
}

// parseWords reads the ids that a head can propose.
func parseWords(path string, e entry, data []byte, rows, vocab int) ([]model.Token, error) {
	if e.dtype != "I32" || len(e.shape) != 1 || e.shape[0] != rows {
		return nil, mismatch(path, e.name, fmt.Sprintf("shape [%d] of I32, from the config", rows), "shape %v of %s", e.shape, e.dtype)
	}
	words := make([]model.Token, rows)
	for i := range words {
		words[i] = model.Token(int32(binary.LittleEndian.Uint32(data[e.begin+4*uint64(i):])))
	}
	for i, w := range words {
		if w < 0 || int(w) >= vocab || i > 0 && w <= words[i-1] {
			return nil, malformed(path, e.name, fmt.Sprintf("ascending ids within [0, %d)", vocab), "id %d in row %d", w, i)
		}
	}
	return words, nil
}

func ascending[T int | model.Token](x []T) bool {
	for i := 1; i < len(x); i++ {
		if x[i] <= x[i-1] {
			return false
		}
	}
	return true
}
