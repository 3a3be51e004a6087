package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

const (
	configName     = "config.json"
	generationName = "generation_config.json"
	maxJSON        = 64 << 20 // bytes of a JSON file; an index of a large model has 100 kB
)

func (ck *Checkpoint) readFolder() error {
	if _, err := fs.Stat(ck.fsys, configName); errors.Is(err, fs.ErrNotExist) {
		return ck.readOnlyGGUF()
	}
	config, err := ck.readJSON(configName)
	if err != nil {
		return err
	}
	var generation []byte
	if ck.exists(generationName) {
		if generation, err = ck.readJSON(generationName); err != nil {
			return err
		}
	}
	c, stored, err := parseConfig(ck.Path, config, generation)
	if err != nil {
		return err
	}
	ck.Config, ck.stored = c, stored.quantisation
	if err := ck.readWeights(); err != nil {
		return err
	}
	if err := ck.unpack(); err != nil {
		return err
	}
	if err := ck.tie(stored.tied); err != nil {
		return err
	}
	return ck.hold(ck.Config.Shapes())
}

// tie settles what the head is. Where the config does not say, a head that is not there is
// tied. A tied model may have a copy of the embedding as its head; a head of its own is
// refused, since the file then says two things: transformers 4 would compute with the
// embedding, and 5 with the head.
func (ck *Checkpoint) tie(tied *bool) error {
	const head, embedding = "lm_head.weight", "model.embed_tokens.weight"
	h, there := ck.Tensors[head]
	ck.Config.TiedHead = !there
	if tied != nil {
		ck.Config.TiedHead = *tied
	}
	if !ck.Config.TiedHead || !there {
		return nil
	}
	if e, ok := ck.Tensors[embedding]; ok && !h.same(e) {
		return unsupported(ck.Path, head, "a head that differs from "+embedding+", beside tie_word_embeddings: true,",
			"the two equal, or the head left out, or tie_word_embeddings: false to compute with the head")
	}
	delete(ck.Tensors, head)
	return nil
}

// readOnlyGGUF reads a folder's single GGUF file, or its splits.
func (ck *Checkpoint) readOnlyGGUF() error {
	names, err := fs.Glob(ck.fsys, "*.gguf")
	if err != nil {
		return ck.failed(err)
	}
	name, ok := onlyGGUF(names)
	if !ok {
		return missing(ck.Path, configName, fmt.Sprintf("it, or exactly one .gguf file, or all splits of one model (there are %d)", len(names)))
	}
	return ck.readGGUF(name)
}

func (ck *Checkpoint) exists(name string) bool {
	_, err := fs.Stat(ck.fsys, name)
	return err == nil
}

// at is what messages call a file of the folder.
func (ck *Checkpoint) at(name string) string { return filepath.Join(ck.dir, name) }

// failed is an error of the file system, whose own words have no folder.
func (ck *Checkpoint) failed(err error) error { return fmt.Errorf("checkpoint: %s: %w", ck.dir, err) }

// readJSON reads a file of at most maxJSON bytes.
func (ck *Checkpoint) readJSON(name string) ([]byte, error) {
	f, err := ck.fsys.Open(name)
	if err != nil {
		return nil, ck.failed(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, ck.failed(err)
	}
	if info.Size() > maxJSON {
		return nil, malformed(ck.at(name), "", fmt.Sprintf("at most %d bytes of JSON", maxJSON), "%d bytes", info.Size())
	}
	b, err := io.ReadAll(io.LimitReader(f, maxJSON))
	if err != nil {
		return nil, ck.failed(err)
	}
	return b, nil
}
