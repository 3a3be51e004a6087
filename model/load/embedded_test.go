package load_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/embedded"
	"foretoken/model/load"
)

// decodes checks that a model makes something of a text.
func decodes(t *testing.T, l *load.Loaded) {
	t.Helper()
	s, err := l.Model.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	logits, err := s.Forward(l.Tokenizer.Prompt("hello"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if best, err := logits.Argmaxes(); err != nil || len(best) != 1 || best[0] < 0 || int(best[0]) >= l.Model.Info().Vocab {
		t.Errorf("%v, %v", best, err)
	}
	if len(l.Ends) == 0 {
		t.Error("nothing ends a text")
	}
	if err := errors.Join(s.Close(), l.Close()); err != nil {
		t.Error(err)
	}
}

// TestCarried opens a folder that is on no disk.
func TestCarried(t *testing.T) {
	dir := t.TempDir()
	if err := small(300).WriteFolder(dir, checkpoint.Q8_0, 1); err != nil {
		t.Fatal(err)
	}
	l, err := load.OpenFS(hidden{os.DirFS(dir)}, "carried")
	if err != nil {
		t.Fatal(err)
	}
	if info := l.Model.Info(); l.Name != "carried" || l.Path != "carried" || info.Name != "carried" || info.Real != words {
		t.Errorf("name %q, path %q, %+v", l.Name, l.Path, info)
	}
	decodes(t, l)
	if err := os.Remove(dir + "/tokenizer.json"); err != nil {
		t.Fatal(err)
	}
	if _, err := load.OpenFS(hidden{os.DirFS(dir)}, "carried"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no tokenizer: %v", err)
	}
}

// hidden gives files that are no *os.File.
type hidden struct{ fs.FS }

func (h hidden) Open(name string) (fs.File, error) {
	f, err := h.FS.Open(name)
	return struct{ fs.File }{f}, err
}

// TestEmbedded opens the pair that the program carries, where there is nothing else:
// their words are the same.
func TestEmbedded(t *testing.T) {
	world(t)
	var pieces [2][]string
	for i, name := range []string{embedded.Target, embedded.Draft} {
		l, err := load.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for id := range model.Token(l.Tokenizer.Vocab()) {
			pieces[i] = append(pieces[i], l.Tokenizer.Piece(id))
		}
		decodes(t, l)
	}
	if len(pieces[0]) != len(pieces[1]) {
		t.Fatalf("%d words and %d", len(pieces[0]), len(pieces[1]))
	}
	for id, p := range pieces[0] {
		if p != pieces[1][id] {
			t.Fatalf("word %d is %q and %q", id, p, pieces[1][id])
		}
	}
}
