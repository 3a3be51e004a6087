package load

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNotFound is the kind of a NotFoundError.
var ErrNotFound = errors.New("no such model")

// A NotFoundError says where a model was looked for.
type NotFoundError struct {
	Ref    string
	Looked []string // what was tried, in order
}

// Error implements error.
func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("load: %v: %q; looked at %s", ErrNotFound, e.Ref, strings.Join(e.Looked, ", "))
	if e.Ref == gotten {
		text += "; make models gets it"
	}
	return text
}

// Unwrap returns the cause.
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// gotten is the model that make models gets.
const gotten = "SmolLM2-135M-Instruct"

// Find is the folder or the .gguf file that ref names: one on disk, or a name
// (SmolLM2-135M-Instruct, org/name) under Folder or in Hugging Face's local cache. The network is not asked.
func Find(ref string) (path string, err error) {
	e := &NotFoundError{Ref: ref}
	if ref != "" && e.there(ref) {
		return ref, nil
	}
	if !isName(ref) {
		return "", e
	}
	for _, path := range []string{filepath.Join(Folder(), ref), filepath.Join(Folder(), ref+".gguf")} {
		if e.there(path) {
			return path, nil
		}
	}
	return e.findHub(ref)
}

// Folder is where models are looked for by name: $FORETOKEN_MODELS, else ./models.
func Folder() string { return cmp.Or(os.Getenv("FORETOKEN_MODELS"), "models") }

func (e *NotFoundError) there(path string) bool {
	e.Looked = append(e.Looked, path)
	_, err := os.Stat(path)
	return err == nil
}

// isName reports whether ref can be a model's name: name or org/name.
func isName(ref string) bool {
	return filepath.IsLocal(ref) && strings.Count(ref, "/") <= 1 && !strings.ContainsAny(ref, `\`) &&
		!slices.Contains(strings.Split(ref, "/"), "..") && ref == filepath.ToSlash(filepath.Clean(ref))
}

// hub is the folder of Hugging Face's cache, as huggingface_hub finds it; "" where
// there is no home.
func hub() string {
	if dir := os.Getenv("HF_HUB_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("HF_HOME"); dir != "" {
		return filepath.Join(dir, "hub")
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "huggingface", "hub")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".cache", "huggingface", "hub")
}

// findHub is the snapshot that refs/main of the cached repository names or, where
// there is no such file, the only one.
func (e *NotFoundError) findHub(ref string) (string, error) {
	dir := hub()
	if dir == "" {
		return "", e
	}
	repo := filepath.Join(dir, "models--"+strings.ReplaceAll(ref, "/", "--"))
	if !e.there(repo) {
		return "", e
	}
	b, err := os.ReadFile(filepath.Join(repo, "refs", "main"))
	if err != nil {
		return e.onlySnapshot(repo)
	}
	revision := strings.TrimSpace(string(b))
	if revision == "" || !isName(revision) || strings.Contains(revision, "/") {
		return "", fmt.Errorf("load: %s: it names the revision %q: want a commit", filepath.Join(repo, "refs", "main"), revision)
	}
	snapshot := filepath.Join(repo, "snapshots", revision)
	if !e.there(snapshot) {
		return "", e
	}
	return snapshot, nil
}

func (e *NotFoundError) onlySnapshot(repo string) (string, error) {
	dir := filepath.Join(repo, "snapshots")
	e.Looked = append(e.Looked, filepath.Join(repo, "refs", "main"), dir)
	snapshots, err := os.ReadDir(dir)
	if err != nil || len(snapshots) == 0 {
		return "", e
	}
	if len(snapshots) > 1 {
		return "", fmt.Errorf("load: %s has %d revisions and no refs/main: give the folder of one", repo, len(snapshots))
	}
	return filepath.Join(dir, snapshots[0].Name()), nil
}
