// Package load opens a model by what a person calls it: it finds the files, reads
// the checkpoint and its tokenizer, and gives the weights to a backend. It is the
// one switch over backends.
package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/embedded"
	"foretoken/model/tokenizer"
)

// A Loaded is a model that is ready to decode with.
type Loaded struct {
	Model     model.Model
	Tokenizer *tokenizer.Tokenizer
	Ends      []End   // any of them ends a sequence
	Name      string  // for people: ref where it is a name, else the file's or the folder's
	Path      string  // what was read
	Warnings  []error // doubts about the engine, and what the model costs to run
}

// ErrVocabulary is wrapped where a tokenizer has ids that the model has no
// embedding for.
var ErrVocabulary = errors.New("tokenizer and embedding disagree")

// Open loads the model that ref names: see Find. Before the name can stand the
// engine that runs it and a colon, as in mlx:SmolLM2-135M-Instruct: see Engines.
func Open(ref string) (*Loaded, error) { return Options{}.Open(ref) }

// Open is the function Open with choices.
func (o Options) Open(ref string) (*Loaded, error) {
	e, ref, err := engineOf(ref)
	if err != nil {
		return nil, err
	}
	if folder, ok := embedded.Open(ref); ok {
		return o.openFS(folder, e, ref)
	}
	path, err := Find(ref)
	if err != nil {
		return nil, err
	}
	ck, err := checkpoint.Open(path)
	if err != nil {
		return nil, err
	}
	defer ck.Close() // backends copy
	tok, err := words(ck)
	return o.open(ck, tok, err, e, title(ref, path))
}

// openFS opens a model that the program carries.
func (o Options) openFS(folder fs.FS, e engine, name string) (*Loaded, error) {
	ck, err := checkpoint.OpenFS(folder, name)
	if err != nil {
		return nil, err
	}
	defer ck.Close()
	tok, err := tokenizer.OpenFS(folder, name)
	return o.open(ck, tok, err, e, name)
}

// title is the name, or what a path ends in without .gguf.
func title(ref, path string) string {
	if ref != path {
		return ref
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	base := filepath.Base(path)
	if strings.EqualFold(filepath.Ext(base), ".gguf") {
		return base[:len(base)-len(".gguf")]
	}
	return base
}

// open gives a checkpoint to an engine. tok and err are what became of its tokenizer.
func (o Options) open(ck *checkpoint.Checkpoint, tok *tokenizer.Tokenizer, err error, e engine, name string) (*Loaded, error) {
	if e.name != "ref" {
		name = e.name + ":" + name
	}
	ck.Config.Name = name
	if err != nil {
		return nil, fmt.Errorf("load: %s: %w", ck.Path, err)
	}
	if tok.Vocab() > ck.Config.Vocab {
		return nil, fmt.Errorf("load: %s: %w: %d ids, want at most %d, the rows of the embedding", ck.Path, ErrVocabulary, tok.Vocab(), ck.Config.Vocab)
	}
	if err := checkMemory(ck.Path, weightBytes(ck, strings.HasSuffix(e.name, "-f32")), freeMemory()); err != nil {
		return nil, err
	}
	m, err := e.open(ck, tok.Vocab(), o)
	if err != nil {
		return nil, fmt.Errorf("load: %s: %w", ck.Path, err)
	}
	return &Loaded{Model: m, Tokenizer: tok, Ends: endsOf(ck, tok), Name: name, Path: ck.Path, Warnings: append(e.warnings(o), doubts(ck)...)}, nil
}

// words is the tokenizer beside the weights, or within them.
func words(ck *checkpoint.Checkpoint) (*tokenizer.Tokenizer, error) {
	if ck.GGUF != nil {
		return tokenizer.FromGGUF(ck.GGUF)
	}
	return tokenizer.Open(ck.Path)
}

// Close frees what the model holds outside Go's memory, if anything. The model is
// not used after it.
func (l *Loaded) Close() error {
	if c, ok := l.Model.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
