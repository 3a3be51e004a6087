package checkpoint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	configName     = "config.json"
	generationName = "generation_config.json"
	maxJSON        = 64 << 20 // bytes of a JSON file; an index of a large model has 100 kB
)

func (ck *Checkpoint) readFolder() error {
	path := filepath.Join(ck.Path, configName)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return ck.readOnlyGGUF()
	}
	config, err := readJSON(path)
	if err != nil {
		return err
	}
	var generation []byte
	if path := filepath.Join(ck.Path, generationName); exists(path) {
		if generation, err = readJSON(path); err != nil {
			return err
		}
	}
	c, tied, err := parseConfig(ck.Path, config, generation)
	if err != nil {
		return err
	}
	ck.Config = c
	if err := ck.readWeights(); err != nil {
		return err
	}
	ck.tie(tied)
	return ck.hold()
}

// tie settles what the head is. Where the config does not say, a head that is not
// there is tied. A tied model's own copy of the head is not used, as in
// transformers.
func (ck *Checkpoint) tie(tied *bool) {
	const head = "lm_head.weight"
	if tied != nil {
		ck.Config.TiedHead = *tied
	} else {
		_, there := ck.Tensors[head]
		ck.Config.TiedHead = !there
	}
	if ck.Config.TiedHead {
		delete(ck.Tensors, head)
	}
}

// readOnlyGGUF reads a folder's single GGUF file.
func (ck *Checkpoint) readOnlyGGUF() error {
	names, err := filepath.Glob(filepath.Join(globEscape(ck.Path), "*.gguf"))
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if len(names) != 1 {
		return missing(ck.Path, configName, fmt.Sprintf("it, or exactly one .gguf file (there are %d)", len(names)))
	}
	return ck.readGGUF(names[0])
}

func globEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readJSON reads a file of at most maxJSON bytes.
func readJSON(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if len(b) > maxJSON {
		return nil, malformed(path, "", fmt.Sprintf("at most %d bytes of JSON", maxJSON), "a longer file")
	}
	return b, nil
}
