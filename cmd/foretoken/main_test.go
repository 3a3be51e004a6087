package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"foretoken/experiments"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/results"
	"foretoken/spec"
)

// toys are models over bytes below 128.
func toys(ref string) (*experiments.Opened, error) {
	o := &experiments.Opened{Name: ref, Tokenizer: letters{}, Ends: []results.End{{ID: 0, Text: "\x00", From: []string{"checkpoint"}}}}
	switch ref {
	case "toy":
		hash := modeltest.Hash{Vocab: 130, Real: 128}
		o.Model = hash
		o.Head = func(ref string) (model.Head, error) {
			if ref != "crown" {
				return nil, experimentsRefusal(ref)
			}
			return modeltest.Head{Of: hash, Noise: 1}, nil
		}
	case "cousin":
		o.Model = modeltest.Hash{Vocab: 128, Real: 128, Salt: 7}
	case "stranger":
		o.Model, o.Tokenizer = modeltest.Hash{Vocab: 128, Real: 128}, letters{odd: 65}
	default:
		return nil, experimentsRefusal(ref)
	}
	return o, nil
}

func experimentsRefusal(ref string) error {
	return &experiments.Refusal{Err: errors.New("no toy " + ref)}
}

type letters struct{ odd model.Token }

func (letters) Vocab() int { return 128 }
func (l letters) Piece(id model.Token) string {
	if l.odd != 0 && id == l.odd {
		return "odd"
	}
	return string(rune(id))
}
func (letters) Prompt(text string) []model.Token {
	var out []model.Token
	for _, b := range []byte(text) {
		out = append(out, model.Token(b%128))
	}
	return out
}
func (l letters) Chat(messages []experiments.Message) ([]model.Token, error) {
	text, err := l.Render(messages, experiments.TemplateVariables{})
	return l.Prompt(text), err
}
func (l letters) Render(messages []experiments.Message, with experiments.TemplateVariables) (string, error) {
	text := ""
	for _, t := range with.Tools {
		text += "<tool>" + string(t)
	}
	for name, v := range with.Named {
		text += "<" + name + ">" + string(v)
	}
	for _, m := range messages {
		text += "<" + m.Role + ">" + m.Content
	}
	return text, nil
}
func (l letters) Encode(text string, _ bool) []model.Token { return l.Prompt(text) }
func (letters) Bytes(id model.Token) []byte                { return []byte(string(rune(id))) }
func (letters) Special(id model.Token) bool                { return id == 0 }
func (letters) NewStream() spec.TextStream                 { return stream{} }

type stream struct{}

func (stream) Push(id model.Token) string { return string(rune(id)) }
func (stream) Flush() string              { return "" }

// call runs a command line on toys.
func call(t *testing.T, in string, args ...string) (code int, out, err string) {
	t.Helper()
	return callUntil(t.Context(), toys, in, args...)
}

func callUntil(ctx context.Context, open experiments.Opener, in string, args ...string) (code int, out, err string) {
	var stdout bytes.Buffer
	var stderr shared
	code = execute(ctx, app{open: open, in: strings.NewReader(in), out: &stdout, err: &stderr}, args)
	return code, stdout.String(), stderr.String()
}

// shared is standard error, which a process that a command starts writes to as well.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string { return s.buf.String() }

const config = `target: toy
drafters: [{name: ngram}, {name: model, model: cousin}]
k: [1, 2]
prompts: [{file: p.jsonl}]
max_tokens: 8
`

func lay(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "try.yaml")
	put(t, file, config)
	var set strings.Builder
	for i := range 6 {
		fmt.Fprintf(&set, "{\"id\": \"p%d\", \"domain\": \"d\", \"prompt\": \"one %d one %d\"}\n", i, i, i)
	}
	put(t, filepath.Join(dir, "p.jsonl"), set.String())
	return dir, file
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A run prints tables on standard output and all else on standard error, and ends
// by naming what it wrote, which is there.
func TestRun(t *testing.T) {
	dir, file := lay(t)
	run := filepath.Join(dir, "run")
	code, out, err := call(t, "", "run", file, "--out", run, "--max-tokens", "6")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, err)
	}
	for _, want := range []string{"Arms\n", "ngram K=1", results.Defined("acceptance").Text, "30 of 30 rows", "plain decoding"} {
		if !strings.Contains(out, want) {
			t.Errorf("standard output lacks %q:\n%s", want, out)
		}
	}
	wrote := 0
	for line := range strings.Lines(out) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "wrote "); ok {
			wrote++
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if wrote != 14 {
		t.Errorf("names %d files, want 5 of tables, 8 pictures and their points", wrote)
	}
	for _, want := range []string{"max_tokens: 6", "# foretoken run --max-tokens=6 --out=", "30/30 rows"} {
		if !strings.Contains(err, want) {
			t.Errorf("standard error lacks %q:\n%s", want, err)
		}
	}
	if strings.Contains(err, "warm_up") {
		t.Errorf("a default is printed:\n%s", err)
	}
	if code, out, err := call(t, "", "table", run, "--format", "csv"); code != exitOK || !strings.HasPrefix(out, "arm,drafter,k,") || strings.Contains(out, "#") {
		t.Errorf("table: exit %d, %q, %s", code, out, err)
	}
	if code, out, err := call(t, "", "table", run, "--format", "markdown", "--only", "domains"); code != exitOK || !strings.Contains(out, "## By domain") || strings.Contains(out, "## Arms") {
		t.Errorf("table: exit %d, %q, %s", code, out, err)
	}
	pictures := filepath.Join(dir, "pictures")
	if code, out, err := call(t, "", "plot", run, "--out", pictures); code != exitOK || strings.Count(out, pictures) != 9 {
		t.Errorf("plot: exit %d, %q, %s", code, out, err)
	}
	if code, _, err := call(t, "", "run", file, "--out", run); code != exitBadInput || !strings.Contains(err, "a run is there already") {
		t.Errorf("over a run: exit %d, %s", code, err)
	}
}

// Told nothing, a run is on what the program carries: its pair, and its prompts.
func TestRunAlone(t *testing.T) {
	asked := map[string]bool{}
	open := func(ref string) (*experiments.Opened, error) {
		asked[ref] = true
		return toys(map[string]string{"embedded": "toy", "embedded-draft": "cousin"}[ref])
	}
	t.Chdir(t.TempDir())
	code, out, err := callUntil(t.Context(), open, "", "run", "--limit", "1", "--max-tokens", "4")
	if code != exitOK || !strings.Contains(out, "wrote results/embedded-") || !strings.Contains(err, "embedded:chat.jsonl") {
		t.Errorf("exit %d, %s%s", code, out, err)
	}
	if len(asked) != 2 || !asked["embedded"] || !asked["embedded-draft"] {
		t.Errorf("opens %v", asked)
	}
	if code, text, err := callUntil(t.Context(), open, "", "generate", "-n", "4", "x"); code != exitOK || text == "" {
		t.Errorf("exit %d, %s", code, err)
	}
}

// A text is held to a schema with and without a drafter, and its log-probabilities
// are printed.
func TestGenerateHeld(t *testing.T) {
	schema := filepath.Join(t.TempDir(), "s.json")
	put(t, schema, `{"type": "object", "properties": {"go": {"enum": ["up", "down"]}}, "required": ["go"], "additionalProperties": false}`)
	base := []string{"generate", "-m", "toy", "-n", "100", "--schema", schema, "--logprobs", "2", "one two one"}
	code, plain, err := call(t, "", base...)
	var v struct{ Go string }
	if e := json.Unmarshal([]byte(strings.Trim(plain, "\x00\n")), &v); code != exitOK || e != nil || v.Go != "up" && v.Go != "down" {
		t.Errorf("exit %d, %q, %v, %s", code, plain, e, err)
	}
	if !strings.Contains(err, "Log-probabilities") || !strings.Contains(err, `"{"`) {
		t.Errorf("standard error has no log-probabilities:\n%s", err)
	}
	for _, more := range [][]string{{"--drafter", "ngram"}, {"--drafter", "model", "--draft-model", "cousin", "--blind"}} {
		if code, out, err := call(t, "", append(base, more...)...); code != exitOK || out != plain || !strings.Contains(err, "forbidden by the constraint") {
			t.Errorf("%v: exit %d, %q, without a draft %q, %s", more, code, out, plain, err)
		}
	}
}

// Ctrl-C leaves a run that can be read, says how to take it up, and exits 130; the
// run taken up is whole.
func TestInterrupt(t *testing.T) {
	dir, file := lay(t)
	run := filepath.Join(dir, "run")
	ctx, cancel := context.WithCancel(t.Context())
	left := 300 // forwards until the interruption
	open := func(ref string) (*experiments.Opened, error) {
		o, err := toys(ref)
		if err == nil {
			o.Model = countdown{o.Model, &left, cancel}
		}
		return o, err
	}
	code, out, err := callUntil(ctx, open, "", "run", file, "--out", run, "--max-tokens", "7")
	_, hint, _ := strings.Cut(err, "take it up again: foretoken ")
	hint, _, _ = strings.Cut(hint, "\n")
	if code != exitInterrupted || hint == "" || !strings.HasSuffix(err, "foretoken: interrupted\n") {
		t.Errorf("exit %d, %s", code, err)
	}
	got, e := results.Read(run)
	if e != nil || len(got.Rows) == 0 || len(got.Rows) >= got.Header.Rows || !strings.Contains(out, "Arms") {
		t.Fatalf("%v, %d rows of %d", e, len(got.Rows), got.Header.Rows)
	}
	if code, _, err := call(t, "", "run", file, "--resume", run); code != exitBadInput || !strings.Contains(err, "its config has another max_tokens") {
		t.Errorf("taken up with another limit: exit %d, %s", code, err)
	}
	if code, out, err := call(t, "", strings.Fields(hint)...); code != exitOK || !strings.Contains(out, "30 of 30 rows") {
		t.Errorf("%s: exit %d, %s", hint, code, err)
	}
}

// Standard output that takes nothing loses no table and no picture, and is a failure.
func TestFullOutput(t *testing.T) {
	dir, file := lay(t)
	run := filepath.Join(dir, "run")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	var stderr strings.Builder
	code := execute(t.Context(), app{open: toys, in: strings.NewReader(""), out: full, err: &stderr}, []string{"run", file, "--out", run})
	if code != exitFailure || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit %d, %s", code, stderr.String())
	}
	for _, name := range []string{"tables.txt", "tables.md", "speedup.svg", "acceptance.png"} {
		if info, err := os.Stat(filepath.Join(run, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// countdown cancels after so many forwards.
type countdown struct {
	model.Model
	left   *int
	cancel func()
}

func (c countdown) NewSession() (model.Session, error) {
	s, err := c.Model.NewSession()
	return countdownSession{s, c}, err
}

type countdownSession struct {
	model.Session
	c countdown
}

func (s countdownSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if *s.c.left--; *s.c.left == 0 {
		s.c.cancel()
	}
	return s.Session.Forward(tokens, rows)
}

// The text is the same with any drafter, and alone on standard output.
func TestGenerate(t *testing.T) {
	base := []string{"generate", "-m", "toy", "-n", "30", "--ignore-eos", "one two one two"}
	code, plain, err := call(t, "", base...)
	if code != exitOK || len(plain) < 20 {
		t.Fatalf("exit %d, %q, %s", code, plain, err)
	}
	for _, more := range [][]string{{"--drafter", "ngram"}, {"--drafter", "model", "--draft-model", "cousin", "-k", "2", "--rounds"},
		{"--drafter", "model", "--draft-model", "toy", "--verifier", "match"}, {"--drafter", "eagle", "--head", "crown"}} {
		code, out, err := call(t, "", append(base, more...)...)
		if code != exitOK || out != plain {
			t.Errorf("%v: exit %d, %q, want %q; %s", more, code, out, plain, err)
		}
		if !strings.Contains(err, "30 tokens in") || more[0] == "--rounds" && !strings.Contains(err, "correction") {
			t.Errorf("%v: %s", more, err)
		}
	}
	if code, out, err := call(t, "one two one two", "generate", "-m", "toy", "-n", "30", "--ignore-eos"); code != exitOK || out != plain {
		t.Errorf("from standard input: exit %d, %q, %s", code, out, err)
	}
	if _, chat, _ := call(t, "", append(base, "--chat", "--system", "s")...); chat == plain {
		t.Error("--chat changes nothing")
	}
}

// Of the logits 3, 2, 1 at temperature 0.5, top_p 0.8 keeps {0} in one order and
// {0, 1} in the other, from either kind of file.
func TestSample(t *testing.T) {
	var raw []byte
	for _, x := range []float32{3, 2, 1} {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	file := filepath.Join(t.TempDir(), "row.f32")
	put(t, file, string(raw))
	for _, path := range []string{"-", file} {
		for order, want := range map[string]string{"temperature-first": "Support: 1 tokens", "mlx-lm": "Support: 2 tokens"} {
			code, out, err := call(t, "[3, 2, 1]", "sample", path, "--temperature", "0.5", "--top-p", "0.8", "--order", order)
			if code != exitOK || !strings.Contains(out, want) || !strings.Contains(out, "draw 0") {
				t.Errorf("%s, %s: exit %d, want %q:\n%s%s", path, order, code, want, out, err)
			}
		}
	}
	_, out, _ := call(t, "[1, null, 1]", "sample", "-", "--temperature", "1", "--json")
	if !strings.Contains(out, `"support":[{"id":0,"probability":0.5},{"id":2,"probability":0.5}]`) {
		t.Errorf("JSON: %s", out)
	}
	code, out, err := call(t, "[1, 1]", "sample", "-", "--presence", "5", "--history", "0,2")
	refused(t, "an id past the row", code, out, err, "--history: id 2, want below 2, the logits of -")
	code, out, err = call(t, "[1, 2]", "sample", "-", "--logit-bias", "2=100")
	refused(t, "a bias past the row", code, out, err, "-: sampler: logit bias of token 2, want an id from 0 to 1")
	if code, _, err = call(t, "", "sample", file, "--format", "f32"); code != exitOK {
		t.Errorf("a format that is said: exit %d, %s", code, err)
	}
	_, out, _ = call(t, "[1, 1, 1]", "sample", "-", "--presence", "5", "--history", "0,1")
	if !strings.Contains(out, "draw 2") {
		t.Errorf("penalties over the history: %s", out)
	}
}

func TestCheckPair(t *testing.T) {
	if code, out, err := call(t, "", "check-pair", "toy", "cousin"); code != exitOK || !strings.Contains(out, "the vocabularies agree") {
		t.Errorf("exit %d, %s%s", code, out, err)
	}
	if code, _, err := call(t, "", "check-pair", "toy", "stranger"); code != exitFailure || !strings.Contains(err, `token 65 is "A" in the target and "odd" in the draft`) {
		t.Errorf("exit %d, %s", code, err)
	}
}

// Every flag of every command is in what it prints where all are asked for.
func TestFlagsShow(t *testing.T) {
	dir, file := lay(t)
	run := filepath.Join(dir, "run")
	peer := filepath.Join(dir, "parity.yaml")
	put(t, filepath.Join(dir, "bridge.sh"), "read line; echo '{}'\n") // and ends: what comes after the flags is not this test's
	put(t, peer, "reference: {model: "+dir+", python: sh, bridge: "+filepath.Join(dir, "bridge.sh")+"}\nengines: [toy]\nprompts: [{file: p.jsonl}]\n")
	for _, args := range [][]string{{"generate", "-m", "toy", "-n", "3", "x"}, {"sample", "-"}, {"run", file, "--out", run}, {"table", run}, {"plot", run},
		{"cost", "toy", "-n", "2", "--repeats", "1", "--context", "8"}, {"parity", peer}, {"version"}, {"check-pair", "toy", "cousin"},
		{"bench", "decode", "toy", "--prompts", filepath.Join(dir, "p.jsonl"), "--texts", "1", "--rounds", "1", "--tokens", "2", "--context", "8", "--prefill", "8"},
		{"bench", "sampler", "--rounds", "1", "--times", "1", "--vocabulary", "1000", "--cc", filepath.Join(dir, "no-cc")}} {
		name := args[:1]
		if args[0] == "bench" {
			name = args[:2]
		}
		_, help, _ := call(t, "", append(slices.Clone(name), "--help")...)
		_, _, err := call(t, "[1, 2]", append(args, "--all-settings")...)
		n := 0
		for word := range strings.FieldsSeq(help) {
			name, ok := strings.CutPrefix(strings.TrimRight(word, ".,;:)"), "--")
			if !ok || name == "help" || name == allSettings || name == "stop" || name == "eos" || name == "template-arg" || strings.ContainsAny(name, "=/") || name == "" {
				continue
			}
			if n++; !strings.Contains(err, "--"+name+"=") {
				t.Errorf("%s does not show --%s: %s", args[0], name, err)
			}
		}
		if least, few := map[string]int{"version": 1, "plot": 1, "table": 2, "parity": 3, "check-pair": 0}[args[0]]; n < least || !few && n < 5 {
			t.Errorf("%s: %d flags in its help", args[0], n)
		}
		if !strings.Contains(err, "# foretoken "+strings.Join(name, " ")) {
			t.Errorf("%s does not show itself: %s", args[0], err)
		}
	}
}

// Every command explains itself with an example.
func TestHelp(t *testing.T) {
	for _, name := range []string{"run", "generate", "sample", "check-pair", "table", "plot", "parity", "cost", "bench decode"} {
		code, out, _ := call(t, "", append(strings.Fields(name), "--help")...)
		if code != exitOK || !strings.Contains(out, "Examples:\n  ") {
			t.Errorf("%s --help: exit %d\n%s", name, code, out)
		}
	}
	if code, out, _ := call(t, "", "run", "--explain"); code != exitOK || out != experiments.Explained {
		t.Errorf("run --explain: exit %d", code)
	}
	if code, out, _ := call(t, "", "version"); code != exitOK || !strings.HasPrefix(out, "foretoken "+version) || !strings.Contains(out, "\nref: p") {
		t.Errorf("version: exit %d, %q", code, out)
	}
}

// A stop string that the text begins with leaves no text, and that is said.
func TestStopAtOnce(t *testing.T) {
	_, text, _ := call(t, "", "generate", "-m", "toy", "-n", "3", "x")
	code, out, err := call(t, "", "generate", "-m", "toy", "-n", "3", "--stop", text[:1], "x")
	if code != exitOK || out != "" || !strings.Contains(err, "0 tokens in 1 rounds (stop)") || !strings.Contains(err, "it began with a stop string") {
		t.Errorf("exit %d, %q, %s", code, out, err)
	}
}

// The version is a flag too.
func TestVersionFlag(t *testing.T) {
	if code, out, _ := call(t, "", "--version"); code != exitOK || !strings.HasPrefix(out, "foretoken "+version+" (") || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d, %q", code, out)
	}
}
