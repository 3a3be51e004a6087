package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"foretoken/model"
	"foretoken/open"
	"foretoken/results"
)

// nowhere is a folder with no models in it, nor near it.
func nowhere(t *testing.T) string {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"FORETOKEN_MODELS", "HF_HOME", "HF_HUB_CACHE", "HOME"} {
		t.Setenv(name, filepath.Join(dir, "none"))
	}
	return dir
}

// What the program carries is enough for its main job: every arm gives the tokens
// of plain decoding, and the draft is worth more than a token a round.
func TestEmbeddedRun(t *testing.T) {
	dir := filepath.Join(nowhere(t), "run")
	if code, _, err := callUntil(t.Context(), open.Model, "", "run", "--limit", "1", "--max-tokens", "32", "-o", dir); code != exitOK {
		t.Fatalf("exit %d, %s", code, err)
	}
	run, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	arms := map[string]results.Arm{}
	for _, a := range run.Header.Arms {
		arms[a.ID] = a
	}
	plain := map[string][]model.Token{}
	for _, row := range run.Rows {
		if arms[row.Arm].K == 0 {
			plain[row.Prompt] = row.Tokens
		}
	}
	rounds, emitted := 0, 0
	for _, row := range run.Rows {
		if want := plain[row.Prompt]; len(want) == 0 || !slices.Equal(row.Tokens, want) {
			t.Errorf("%s, %s: %v, want %v", row.Arm, row.Prompt, row.Tokens, want)
		}
		if a := arms[row.Arm]; a.Drafter == "draft" && a.K == 4 {
			rounds, emitted = rounds+len(row.Rounds), emitted+len(row.Tokens)
		}
	}
	if len(plain) < 4 || rounds == 0 || float64(emitted) < 2*float64(rounds) {
		t.Errorf("%d prompts; at K = 4 %d tokens in %d rounds, want two a round", len(plain), emitted, rounds)
	}
}

// written is what a model writes, greedily.
func written(t *testing.T, args ...string) string {
	t.Helper()
	code, text, err := callUntil(t.Context(), open.Model, "", append([]string{"generate", "-n", "80"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d, %s", code, err)
	}
	return text
}

// The pair's text reads as sentences, code and JSON.
func TestEmbeddedText(t *testing.T) {
	nowhere(t)
	for _, prompt := range []string{"Write a short story about a fox who learns to read.", "How do I keep my garden healthy in a dry summer?"} {
		if text := written(t, "--chat", prompt); !prose(text) {
			t.Errorf("no sentences: %q", text)
		}
	}
	code := written(t, "--chat", "Write a Python function that counts the vowels in a string.")
	if body := code[strings.Index(code, "def ")+1:]; !strings.Contains(code, "def ") || !strings.Contains(body, "):\n    ") || !strings.Contains(body, "return ") {
		t.Errorf("no function: %q", code)
	}
	object := written(t, "--chat", "--json", "Return a JSON object that describes a city with the fields name and population.")
	var v map[string]any
	if err := json.Unmarshal([]byte(object), &v); err != nil || v["name"] == nil || v["population"] == nil {
		t.Errorf("%q: %v", object, err)
	}
}

// prose has sentences of words, a quarter and more of them the little ones that hold
// English together.
func prose(text string) bool {
	little := strings.Fields("a an and are as at be but by for from had has have he her his i in is it its my not of on or she that the their they this to was were will with you your")
	words, common := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		words++
		if slices.Contains(little, w) {
			common++
		}
	}
	return words > 30 && 4*common > words && strings.ContainsAny(text, ".!?") && 5*words < 2*len(text)
}

// The target expects what is written in the domains, and not its tokens in another
// order.
func TestEmbeddedExpects(t *testing.T) {
	nowhere(t)
	o, err := open.Model("embedded")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for _, text := range []string{
		"<|im_start|>user\nTell me a story.<|im_end|>\n<|im_start|>assistant\nOnce upon a time, there was a young girl who lived in a small village. She loved to walk in the forest and listen to the birds.",
		"def add_numbers(numbers):\n    total = 0\n    for number in numbers:\n        total += number\n    return total\n",
		"<|im_start|>user\nReturn a JSON object.<|im_end|>\n<|im_start|>assistant\n{\n  \"name\": \"John Doe\",\n  \"age\": 30,\n  \"email\": \"john.doe@example.com\"\n}",
	} {
		ids := o.Tokenizer.Encode(text, true)
		bits := bitsPerByte(t, o.Model, ids, len(text))
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(ids)-1, func(i, j int) { ids[i+1], ids[j+1] = ids[j+1], ids[i+1] })
		if shuffled := bitsPerByte(t, o.Model, ids, len(text)); bits > 1.2 || shuffled < 2*bits {
			t.Errorf("%.2f bits a byte, %.2f shuffled, want at most 1.2 and at least twice that: %q", bits, shuffled, text)
		}
	}
}

func bitsPerByte(t *testing.T, m model.Model, ids []model.Token, bytes int) float64 {
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := len(ids) - 1
	logits, err := s.Forward(ids[:n], n)
	if err != nil {
		t.Fatal(err)
	}
	row, total := make([]float32, m.Info().Vocab), 0.0
	for i := range n {
		if err := logits.Read(i, row); err != nil {
			t.Fatal(err)
		}
		sum, top := 0.0, float64(slices.Max(row))
		for _, x := range row {
			sum += math.Exp(float64(x) - top)
		}
		total += top + math.Log(sum) - float64(row[ids[i+1]])
	}
	return total / math.Ln2 / float64(bytes)
}
