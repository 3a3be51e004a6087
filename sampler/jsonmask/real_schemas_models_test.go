//go:build models

package jsonmask

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foretoken/model/modeltest"
)

var eachTexts = flag.Int("texts", 300, "texts of each real schema that are judged")

// wantReal is how many of a hundred real schemas have to be accepted.
const wantReal = 87

// most is how many tries the texts of a schema may take, for each text: a try that comes
// to no end is thrown away.
const most = 3

// anew is after how many tries a schema is read again: an engine remembers where texts
// have led, which is gigabytes after hundreds of texts of the greatest schemas.
const anew = 15

// Of schemas that others have published most are accepted, the others are refused by the
// name of what is not supported, and what comes of those accepted is valid for
// python-jsonschema.
func TestRealSchemas(t *testing.T) {
	folder := filepath.Join(modeltest.Real(t), "real-schemas")
	judge := startJudge(t, filepath.Join(folder, "python"))
	files, refused := realSchemas(t, folder), map[string][]string{}
	for i, file := range files {
		name, _ := filepath.Rel(folder, file)
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			e, err := realSchema(t, file)
			var no *UnsupportedError
			if errors.As(err, &no) {
				refused[no.Keyword] = append(refused[no.Keyword], name)
				t.Logf("%d of %d: refused: %v", i+1, len(files), err)
				return
			} else if err != nil {
				t.Fatal(err)
			}
			read := time.Since(began)
			texts := realTexts(t, file, e, *eachTexts)
			for k, wrong := range judge.ask(t, file, texts) {
				if wrong != "" {
					t.Errorf("%s: %.600s", wrong, texts[k])
				}
			}
			n := len(slices.Compact(slices.Sorted(slices.Values(texts))))
			t.Logf("%d of %d: %d texts, %d of them differ, read in %v, %v in all", i+1, len(files), len(texts), n, read.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			if len(texts) < *eachTexts {
				t.Errorf("%d texts came to an end in %d tries, want %d", len(texts), most**eachTexts, *eachTexts)
			}
		})
	}
	n := 0
	for _, keyword := range slices.Sorted(maps.Keys(refused)) {
		n += len(refused[keyword])
		t.Logf("refused for %s: %d: %s", keyword, len(refused[keyword]), strings.Join(refused[keyword], ", "))
	}
	t.Logf("%d of %d schemas are accepted", len(files)-n, len(files))
	if len(files) < 69 || 100*(len(files)-n) < wantReal*len(files) {
		t.Errorf("%d of %d schemas are accepted, want %d %% of 69 or more", len(files)-n, len(files), wantReal)
	}
}

// realSchemas are the files of a folder that differ.
func realSchemas(t *testing.T, folder string) (files []string) {
	met := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "python":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		if !met[string(data)] {
			met[string(data)] = true
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func realSchema(t *testing.T, file string) (state, error) {
	data, err := ReadFile(file)
	if err != nil {
		return state{}, err
	}
	e, err := Schema(toyVocabulary(), data, Options{Blanks: DefaultBlanks})
	if err != nil {
		return state{}, err
	}
	return e.(state), nil
}

// realTexts are n random texts of an engine, or those that most tries a text come to.
func realTexts(t *testing.T, file string, e state, n int) (texts []string) {
	texts = []string{}
	r := rand.New(rand.NewPCG(11, 9))
	for tries := 0; len(texts) < n && tries < most*n; tries++ {
		if tries%anew == anew-1 {
			var err error
			if e, err = realSchema(t, file); err != nil {
				t.Fatal(err)
			}
		}
		if text, whole := endingText(t, r, e, 20+r.IntN(200), 4000); whole {
			texts = append(texts, string(text))
		}
	}
	return texts
}

// A textJudge is python-jsonschema, as scripts/judge_texts.py asks it.
type textJudge struct {
	in  *json.Encoder
	out *bufio.Reader
}

func startJudge(t *testing.T, python string) *textJudge {
	name := "python3"
	if other := os.Getenv("PYTHON"); other != "" {
		name = other
	}
	cmd := exec.CommandContext(t.Context(), name, filepath.Join("..", "..", "scripts", "judge_texts.py"))
	cmd.Env, cmd.Stderr = append(os.Environ(), "PYTHONPATH="+python), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%v: make real-schemas gets the judge", err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &textJudge{json.NewEncoder(in), bufio.NewReader(out)}
}

// ask returns what is wrong with each text, nothing where it is valid.
func (j *textJudge) ask(t *testing.T, schema string, texts []string) (wrong []string) {
	t.Helper()
	err := j.in.Encode(map[string]any{"schema": schema, "texts": texts})
	if err == nil {
		var line []byte
		if line, err = j.out.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &wrong)
		}
	}
	if err == nil && len(wrong) != len(texts) {
		err = fmt.Errorf("%d verdicts on %d texts", len(wrong), len(texts))
	}
	if err != nil {
		t.Fatalf("python-jsonschema: %v", err)
	}
	return wrong
}
