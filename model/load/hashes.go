package load

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foretoken/model/embedded"
)

// kinds end the names of files that make a model what it is: weights, configuration,
// tokenizer and chat template.
var kinds = []string{".safetensors", ".gguf", ".json", ".jinja", ".model", ".txt"}

// part is the name of one file of a split GGUF.
var part = regexp.MustCompile(`^(.*)-\d{5}-of-(\d{5})\.gguf$`)

// Hashes are the sha256 of the files of a model or a head, by name, which ref calls as for
// Open. Those of large files are remembered by size and time of change.
func Hashes(ref string) (map[string]string, error) {
	_, ref, err := engineOf(ref)
	if err != nil {
		return nil, err
	}
	if folder, ok := embedded.Open(ref); ok {
		return hashAll(folder)
	}
	path, err := Find(ref)
	if err != nil {
		return nil, err
	}
	names, dir, err := filesOf(path)
	if err != nil {
		return nil, fmt.Errorf("load: %s: %w", path, err)
	}
	known := remembered()
	out := map[string]string{}
	for _, name := range names {
		if out[name], err = known.hash(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
	}
	known.save()
	return out, nil
}

// filesOf lists the files of a model at a path: those of a folder, or of a GGUF file with
// its other parts.
func filesOf(path string) (names []string, dir string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", err
	}
	if !info.IsDir() {
		dir, name := filepath.Split(path)
		m := part.FindStringSubmatch(name)
		if m == nil {
			return []string{name}, dir, nil
		}
		parts, err := filepath.Glob(filepath.Join(dir, escaped(m[1])+"-?????-of-"+m[2]+".gguf"))
		for _, p := range parts {
			names = append(names, filepath.Base(p))
		}
		return names, dir, err
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(path, e.Name())) // a link's file, as in the hub's cache
		if err == nil && info.Mode().IsRegular() && slices.Contains(kinds, strings.ToLower(filepath.Ext(e.Name()))) {
			names = append(names, e.Name())
		}
	}
	return names, path, err
}

// escaped is text that a pattern of filepath.Glob matches as it is.
func escaped(text string) string {
	return regexp.MustCompile(`[\\*?\[]`).ReplaceAllString(text, `\$0`)
}

// hashAll hashes what the program carries.
func hashAll(folder fs.FS) (map[string]string, error) {
	out := map[string]string{}
	return out, fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := folder.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		out[name], err = sum(f)
		return err
	})
}

func sum(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}
