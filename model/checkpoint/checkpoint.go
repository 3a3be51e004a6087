// Package checkpoint reads model weights from disk: a folder with config.json and
// safetensors, or a GGUF file. Both come out as one Config and named tensors in
// one naming (Hugging Face's Llama names) and one layout (q and k rows as
// rotate-half rope wants them), so that a backend reads one kind of checkpoint.
//
// Files are not trusted: every length, offset and shape is held against the file
// and against the Config before it is used. What is wrong comes back as an *Error.
package checkpoint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Checkpoint is an open model. It holds exactly the tensors that its Config
// asks for, in the shapes that follow from it.
type Checkpoint struct {
	Path    string
	Config  Config
	Tensors map[string]Tensor

	// GGUF is a GGUF file's metadata, for its tokenizer; nil for safetensors.
	// A value is an int64, float64, bool, string, or a slice of one of these,
	// whatever the width in the file; an integer above int64's is a uint64.
	GGUF map[string]any

	fsys   fs.FS // of the folder that Path is, or is in
	dir    string
	files  []*file
	stored quantisation      // how matrices are stored
	packed map[string]Tensor // of MLX's, by module, until their scales are read
}

// Open reads a folder (config.json and safetensors, or a single .gguf) or a
// .gguf file. The error is an *Error, or the file system's.
func Open(path string) (*Checkpoint, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if info.IsDir() {
		return OpenFS(os.DirFS(path), path)
	}
	dir := filepath.Dir(path)
	return opened(&Checkpoint{Path: path, fsys: os.DirFS(dir), dir: dir}, (*Checkpoint).readFile)
}

// OpenFS reads a folder as Open does, from any file system. path is what messages
// call it.
func OpenFS(fsys fs.FS, path string) (*Checkpoint, error) {
	return opened(&Checkpoint{Path: path, fsys: fsys, dir: path}, (*Checkpoint).readFolder)
}

func opened(ck *Checkpoint, read func(*Checkpoint) error) (*Checkpoint, error) {
	ck.Tensors, ck.packed = map[string]Tensor{}, map[string]Tensor{}
	if err := read(ck); err != nil {
		ck.Close()
		return nil, err
	}
	return ck, nil
}

func (ck *Checkpoint) readFile() error {
	if !strings.EqualFold(filepath.Ext(ck.Path), ".gguf") {
		return unsupported(ck.Path, "", fmt.Sprintf("a file with the name %s", filepath.Base(ck.Path)), "a .gguf file, or a folder with config.json and safetensors")
	}
	return ck.readGGUF(filepath.Base(ck.Path))
}

// Close unmaps the files. No tensor of ck may be used after it.
func (ck *Checkpoint) Close() error {
	var first error
	for _, f := range ck.files {
		if err := f.close(); err != nil && first == nil {
			first = err
		}
	}
	ck.files, ck.Tensors = nil, nil
	return first
}

// Tensor is the tensor called name; an *Error of kind ErrMissing when there is none.
func (ck *Checkpoint) Tensor(name string) (Tensor, error) {
	t, ok := ck.Tensors[name]
	if !ok {
		return Tensor{}, missing(ck.Path, name, "a tensor of this name")
	}
	return t, nil
}
