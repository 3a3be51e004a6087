package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
)

// bytesAsWords is every byte as a token, and an end of sequence.
func bytesAsWords() ([][]byte, []model.Token) {
	tokens := make([][]byte, 257)
	for b := range 256 {
		tokens[b] = []byte{byte(b)}
	}
	return tokens, []model.Token{256}
}

const someCases = `{"kind":"functions","schema":{"type":"array","items":{"type":"integer"}},"ids":[91,49,93]}
{"kind":"functions","schema":{"type":"array","items":{"type":"integer"}},"ids":[91,120]}
{"kind":"functions","schema":{"uniqueItems":true,"contains":{}},"ids":[91]}
{"kind":"documents","schema":{"type":"object"},"ids":[123,125]}
`

func casesFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Every peer's engines and masks are timed on the cases that all of them follow.
func TestTimeMasks(t *testing.T) {
	file := casesFile(t, someCases)
	worker := func(string) []string { return append(as(t, "masks"), file) }
	run, err := TimeMasks(t.Context(), MaskOptions{Self: worker, Rounds: 2, cases: file,
		others: [][]string{append([]string{"twin"}, worker("")...), append([]string{"ghost"}, as(t, "absent")...)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Cells) != 4 || len(run.Refused) != 2 || len(run.Absent) != 1 {
		t.Fatalf("%d cells, refused %q, absent %q", len(run.Cells), run.Refused, run.Absent)
	}
	for _, c := range run.Cells {
		if want := map[string]int{"functions": 3, "documents": 2}[c.Kind]; c.Cases != 1 || c.Masks != want || len(c.P99) != 2 || !(c.Engine[0] > 0) {
			t.Errorf("%+v", c)
		}
	}
	var text strings.Builder
	if err := run.Table("a machine").Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mask, p99", "of the better peer's", "not here: ghost: no such library", "2 cases left out", "token 1, 120, is not in its mask"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
}

func TestMasksWorkerRefuses(t *testing.T) {
	file := casesFile(t, someCases)
	for _, line := range []string{"case 0", "dance", "case x", "case 9"} {
		in := line + "\n"
		if line != "case 0" { // which comes before the vocabulary
			in = "vocabulary\n" + in
		}
		if err := WorkMasks(strings.NewReader(in), &strings.Builder{}, file, bytesAsWords); err == nil || !strings.Contains(err.Error(), "want vocabulary") {
			t.Errorf("%q: %v", line, err)
		}
	}
	if err := WorkMasks(strings.NewReader(""), &strings.Builder{}, casesFile(t, "{"), bytesAsWords); err == nil || !strings.Contains(err.Error(), "case 0") {
		t.Errorf("broken cases: %v", err)
	}
}
