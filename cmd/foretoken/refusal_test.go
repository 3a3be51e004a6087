package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"foretoken/experiments"
	"foretoken/model"
	"foretoken/open"
)

// What was asked for wrongly is one clear line on standard error and exit 2.
func TestBadInput(t *testing.T) {
	dir, file := lay(t)
	bad := filepath.Join(dir, "bad.yaml")
	put(t, bad, config+"stochastik: true\n")
	biased := filepath.Join(dir, "biased.yaml")
	put(t, biased, config+"sampler: {logit_bias: {99999: 1}}\n")
	odd := filepath.Join(dir, "odd.json")
	put(t, odd, `{"type": "array", "uniqueItems": true, "contains": {}}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "a", "b"}, `run: want [CONFIG], have ["a" "b"]`},
		{[]string{"run", filepath.Join(dir, "no.yaml")}, "no such file"},
		{[]string{"run", bad}, `unknown key, did you mean "stochastic"?`},
		{[]string{"run", ""}, "run: CONFIG is empty; see foretoken run --help"},
		{[]string{"table", ""}, "table: RUN is empty"},
		{[]string{"check-pair", "toy", ""}, "check-pair: DRAFT is empty"},
		{[]string{"run", file, "--resume", "a", "--out", "b"}, "exclude each other"},
		{[]string{"run", file, "--resume", dir}, "no such file"},
		{[]string{"run", file, "--limit", "-1"}, "limit -1, want at least 1"},
		{[]string{"run", file, "--max-tokens", "-2"}, "max tokens -2, want"},
		{[]string{"run", file, "--frobnicate"}, "unknown flag --frobnicate; see foretoken run --help"},
		{[]string{"frobnicate"}, `unknown command "frobnicate"`},
		{[]string{"generate", "-m", "", "x"}, "--model is missing"},
		{[]string{"generate", "-m", "nobody", "x"}, "no toy nobody"},
		{[]string{"generate", "-m", "toy"}, "no prompt"},
		{[]string{"generate", "-m", "toy", ""}, "no prompt"},
		{[]string{"generate", "-m", "toy", "--stop", "", "x"}, "--stop is empty, want text"},
		{[]string{"generate", "-m", "toy", "-k", "2", "x"}, "-k 2 is of no use without --drafter"},
		{[]string{"generate", "-m", "toy", "--verifier", "match", "x"}, "--verifier match is of no use without --drafter"},
		{[]string{"generate", "-m", "toy", "--temperature", "-1", "x"}, "--temperature -1, want 0 (greedy) or more"},
		{[]string{"generate", "-m", "toy", "a\xffb"}, "is not UTF-8 text"},
		{[]string{"generate", "-m", "toy", "--stop", "\xff", "x"}, "is not UTF-8 text"},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "--min-n", "0", "x"}, "--min-n 0, want at least 1"},
		{[]string{"generate", "-m", "toy", "--eos", "A", "x"}, "want the text of a control token of toy"},
		{[]string{"generate", "-m", "toy", "--eos", "3", "--ignore-eos", "x"}, "--eos and --ignore-eos exclude each other"},
		{[]string{"run", "--limit", "0"}, "--limit 0, want at least 1"},
		{[]string{"run", "--max-tokens", "0"}, "--max-tokens 0, want at least 1"},
		{[]string{"parity", "x.yaml", "--limit", "0"}, "--limit 0, want at least 1"},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "-k", "0", "x"}, "-k 0, want at least 1"},
		{[]string{"generate", "-m", "toy", "--drafter", "model", "x"}, "--drafter model: --draft-model is missing"},
		{[]string{"generate", "-m", "toy", "--drafter", "model", "--draft-model", "stranger", "x"}, "token 65"},
		{[]string{"generate", "-m", "toy", "--drafter", "eagle", "x"}, "--drafter eagle: --head is missing"},
		{[]string{"generate", "-m", "toy", "--drafter", "eagle", "--head", "hat", "x"}, "hat: no toy hat"},
		{[]string{"generate", "-m", "cousin", "--drafter", "eagle", "--head", "crown", "x"}, "crown: the backend of cousin cannot load draft heads"},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "--temperature", "1", "x"}, "--temperature 1 with a drafter needs --stochastic"},
		{[]string{"generate", "-m", "toy", "--drafter", "nobody", "x"}, `no drafter "nobody"`},
		{[]string{"generate", "-m", "toy", "--verifier", "nobody", "x"}, `no rule "nobody"`},
		{[]string{"generate", "-m", "toy", "--max-tokens", "0", "x"}, "--max-tokens 0, want at least 1"},
		{[]string{"generate", "-m", "toy", "--top-p", "2", "x"}, "top_p 2, want 0 to 1"},
		{[]string{"generate", "-m", "toy", "--strict", "--json", "x"}, "--strict is of no use without --schema"},
		{[]string{"generate", "-m", "toy", "--json", "--blanks", "25", "x"}, "--blanks 25, want 0 to 24"},
		{[]string{"generate", "-m", "toy", "--blanks", "2", "x"}, "--blanks is of no use without --json or --schema"},
		{[]string{"generate", "-m", "toy", "--bounds", "items=2", "x"}, "--bounds is of no use without --json or --schema"},
		{[]string{"generate", "-m", "toy", "--json", "--bounds", "words=2", "x"}, "--bounds words=2, want characters, digits or items"},
		{[]string{"generate", "-m", "toy", "--json", "--bounds", "digits=40", "x"}, "--bounds: 40 digits, want 1 to 20"},
		{[]string{"generate", "-m", "toy", "--logit-bias", "x=1", "x"}, `--logit-bias "x=1", want ID=VALUE`},
		{[]string{"generate", "-m", "toy", "--logit-bias", "1=1,1=2", "x"}, `--logit-bias "1=2": token 1 is biased already`},
		{[]string{"generate", "-m", "toy", "--logit-bias", "99999=1", "x"}, "toy: sampler: logit bias of token 99999, want an id from 0 to"},
		{[]string{"generate", "-m", "toy", "--logit-bias", "-1=1", "x"}, "logit bias of token -1, want an id from 0 to"},
		{[]string{"run", biased, "--out", filepath.Join(dir, "none")}, "toy: sampler: logit bias of token 99999, want an id from 0 to"},
		{[]string{"generate", "-m", "toy", "--json", "--schema", "s", "x"}, "--json and --schema exclude each other"},
		{[]string{"generate", "-m", "toy", "--schema", "", "x"}, "--schema is empty, want a file"},
		{[]string{"generate", "-m", "toy", "--schema", "nowhere.json", "x"}, "nowhere.json"},
		{[]string{"generate", "-m", "toy", "--schema", odd, "x"}, "uniqueItems is not supported"},
		{[]string{"generate", "-m", "toy", "--json", "--ignore-eos", "x"}, "--ignore-eos goes on where JSON is whole"},
		{[]string{"generate", "-m", "toy", "--thinking-budget", "-2", "x"}, "--thinking-budget -2, want"},
		{[]string{"generate", "-m", "toy", "--thinking-budget", "3", "x"}, "toy has no token for <think>"},
		{[]string{"generate", "-m", "toy", "--logprobs", "21", "x"}, "--logprobs 21, want 0 to 20"},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "--blind", "--json", "x"}, "--blind is of --drafter eagle, layerskip, model, and of no use with ngram"},
		{[]string{"generate", "-m", "toy", "--system", "s", "x"}, "--system needs --chat"},
		{[]string{"generate", "-m", "toy", "--tools", "t.json", "x"}, "--tools needs --chat"},
		{[]string{"generate", "-m", "toy", "--template-arg", "a=1", "x"}, "--template-arg needs --chat"},
		{[]string{"generate", "-m", "toy", "--chat", "--template-arg", "a", "x"}, "want name=value"},
		{[]string{"generate", "-m", "toy", "--chat", "--template-arg", "=a", "x"}, "want name=value"},
		{[]string{"generate", "-m", "toy", "--chat", "--template-arg", "a=1", "--template-arg", "a=2", "x"}, "a is given twice"},
		{[]string{"generate", "-m", "toy", "--chat", "--template-arg", "messages=[]", "x"}, "comes from the prompt"},
		{[]string{"generate", "-m", "toy", "--chat", "--tools", "", "x"}, "--tools is empty"},
		{[]string{"generate", "-m", "toy", "--chat", "--tools", "nowhere.json", "x"}, "nowhere.json"},
		{[]string{"sample"}, "sample: want FILE, have nothing; see foretoken sample --help"},
		{[]string{"sample", filepath.Join(dir, "no.f32")}, "no such file"},
		{[]string{"sample", file, "--format", "f16"}, `--format "f16", want json, f32 or auto`},
		{[]string{"sample", "-", "--history", "a"}, `--history: "a", want token ids`},
		{[]string{"sampl"}, `unknown command "sampl", did you mean sample?`},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "-k", "1025", "x"}, "-k 1025, want at least 1 and at most 1024"},
		{[]string{"generate", "-m", "toy", "--drafter", "ngram", "--layers", "1", "x"}, "--layers is of --drafter layerskip, and of no use with ngram"},
		{[]string{"generate", "-m", "toy", "--drafter", "layerskip", "--layers", "1", "--max-n", "1", "x"}, "--max-n is of --drafter ngram"},
		{[]string{"generate", "-m", "toy", "--min-n", "1", "x"}, "--min-n is of --drafter ngram, and of no use with none"},
		{[]string{"generate", "-k", "x", "y"}, `-k (--k) "x", want a whole number`},
		{[]string{"generate", "--seed", "-1", "y"}, `--seed "-1", want a whole number from 0`},
		{[]string{"generate", "--top-p", "x", "y"}, `--top-p "x", want a number`},
		{[]string{"generate", "--rounds=maybe", "y"}, `--rounds "maybe", want true or false`},
		{[]string{"generate", "--stop"}, "--stop has no value, want text"},
		{[]string{"generate", "-z"}, "unknown flag -z"},
		{[]string{"generate", "--=x"}, `"--=x", want a flag: --name=value`},
		{[]string{"generate", "a", "b"}, `generate: want [PROMPT], have ["a" "b"]`},
		{[]string{"table", "x", "--only", `a"b`}, "want words with commas between them"},
		{[]string{"bench", "frobnicate"}, `unknown command "frobnicate"; see foretoken bench --help`},
		{[]string{"bench", "decode"}, "decode: want MODEL, have nothing"},
		{[]string{"bench", "decode", "toy", "--texts", "0"}, "--texts 0, want at least 1"},
		{[]string{"bench", "decode", "toy", "--head-k", "2,0"}, "--head-k 0, want at least 1"},
		{[]string{"bench", "decode", "toy", "--resume"}, "--resume without --out"},
		{[]string{"bench", "decode", "toy", "--prompts", "none.jsonl"}, "none.jsonl"},
		{[]string{"bench", "decode", "toy", "--prompts", "embedded:chat.jsonl", "--draft-model", "stranger"}, "token 65"},
		{[]string{"bench", "decode", "toy", "--prompts", "embedded:chat.jsonl", "--head", "hat"}, "hat"},
		{[]string{"bench", "decode", "toy", "--python", "nowhere/python"}, `--python "nowhere/python", want a program: stat nowhere/python: no such file`},
		{[]string{"bench", "sampler", "--python", "nowhere/python"}, `--python "nowhere/python", want a program: stat nowhere/python: no such file`},
		{[]string{"bench", "sampler", "--plain", dir}, "--plain"},
		{[]string{"bench", "sampler", "--bound", "no-such-program"}, `--bound "no-such-program", want a program: executable file not found`},
		{[]string{"bench", "masks", dir, "--python", file}, "want a program: permission denied"},
		{[]string{"bench", "sampler", "x"}, `sampler: want no arguments, have ["x"]`},
		{[]string{"version", "x"}, `version: want no arguments, have ["x"]`},
		{[]string{"help", "frobnicate"}, `unknown command "frobnicate"`},
		{[]string{"tabel"}, `unknown command "tabel", did you mean table?`},
		{[]string{"parity", filepath.Join("..", "..", "experiments", "parity", "mlx.yaml"), "--resume"}, "--resume, want --out"},
		{[]string{"parity", filepath.Join("..", "..", "experiments", "parity", "mlx.yaml"), "--out", file, "--resume"}, "want what foretoken parity wrote"},
		{[]string{"cost", "toy", "-n", "1"}, "--rows 1, want 2 to 256"},
		{[]string{"cost", "toy", "--layers", "9"}, "cost: --layers 9, want at least 1 and fewer than"},
		{[]string{"cost", "toy", "--layers", "-1"}, "cost: --layers -1, want at least 1"},
		{[]string{"cost", "toy", "--draft-model", "cousin", "--text", ""}, `--text "", want some text`},
		{[]string{"cost", "toy", "--draft-model", "stranger"}, "token 65"},
		{[]string{"sample", "-", "--generated", "-2"}, "--generated -2, want 0 to 0"},
		{[]string{"sample", "-", "--position", "-1"}, "--position -1, want at least 0"},
		{[]string{"sample", "-", "--top", "-1"}, "--top -1, want at least 0"},
		{[]string{"sample", "-", "--order", "upside-down"}, `order "upside-down"`},
		{[]string{"check-pair", "toy"}, `want TARGET DRAFT, have ["toy"]`},
		{[]string{"table", dir}, "is no run"},
		{[]string{"plot", dir}, "is no run"},
	} {
		code, out, err := call(t, "", c.args...)
		refused(t, fmt.Sprint(c.args), code, out, err, c.want)
	}
}

// refused holds a refusal to exit 2 and one line in plain words: nothing was printed
// that looks as if the command had begun.
func refused(t *testing.T, what string, code int, out, err, want string) {
	t.Helper()
	if code != exitBadInput || !strings.Contains(err, want) || out != "" {
		t.Errorf("%s: exit %d, %q, %s; want 2 and %q", what, code, out, err, want)
	}
	if !strings.HasPrefix(err, "foretoken: ") || strings.Count(err, "\n") != 1 {
		t.Errorf("%s: more than a line:\n%s", what, err)
	}
	for _, leak := range []string{"strconv", "struct field", "Go value", "unmarshal", "arg(s)", "pflag", "%!", "runtime", "errors."} {
		if strings.Contains(err, leak) {
			t.Errorf("%s: %q is told in Go's words", what, err)
		}
	}
}

// What is no row of logits is refused, in either format.
func TestBadLogits(t *testing.T) {
	for row, want := range map[string]string{
		"[]": "no logits", `[1, "x"]`: "text, want a number", "{}": "a group of keys, want a list, each a number", "[1, 1e999]": "1e999, want a number",
		"[null, null]": "", "[1, 2": "ends before the JSON does", "[1] [2]": "more than one value", "": "ends before", "hello": "is no JSON",
		"[[1]]": "a list, want a number", "NaN": "is no JSON",
	} {
		code, out, err := call(t, row, "sample", "-")
		refused(t, "logits "+row, code, out, err, want)
	}
	dir := t.TempDir()
	for name, want := range map[string]string{
		"hello.f32": "3 bytes", "text.txt": "is neither .json nor .f32", "row.json": "is no JSON", "text.f32": "is text", "empty.f32": "no logits", "nan.f32": "NaN",
	} {
		text := map[string]string{"hello.f32": "abc", "nan.f32": "\x00\x00\xc0\x7f\x00\x00\x80\x3f"}[name]
		if text == "" && name != "empty.f32" {
			text = "some words, and as many bytes as floats have: 48.\n"[:48]
		}
		path := filepath.Join(dir, name)
		put(t, path, text)
		code, out, err := call(t, "", "sample", path)
		refused(t, name, code, out, err, want)
	}
}

// A file that cannot be one is refused by what it is, whoever asks for it.
func TestBadPaths(t *testing.T) {
	dir, file := lay(t)
	run := filepath.Join(dir, "run")
	if code, _, err := call(t, "", "run", file, "--out", run, "--limit", "2", "--max-tokens", "2"); code != exitOK {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain.yaml")
	put(t, plain, "target: toy\nprompts: [{file: p.jsonl, limit: 1}]\nmax_tokens: 2\n")
	control := filepath.Join(dir, "control")
	if code, _, err := call(t, "", "run", plain, "--out", control); code != exitOK {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder.yaml")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	lost := filepath.Join(dir, "lost.yaml")
	put(t, lost, strings.Replace(config, "p.jsonl", "no.jsonl", 1))
	within := filepath.Join(dir, "within.yaml")
	put(t, within, strings.Replace(config, "p.jsonl", "folder.yaml", 1))
	peer := filepath.Join(dir, "parity.yaml")
	put(t, peer, "reference: {model: "+file+"}\nengines: [toy]\nprompts: [{file: p.jsonl}]\n")
	for _, args := range [][]string{
		{"run", dir}, {"run", folder}, {"run", lost, "--out", filepath.Join(dir, "r")}, {"run", within, "--out", filepath.Join(dir, "r")},
		{"run", filepath.Join(file, "below.yaml")}, {"run", "a\x00b"},
		{"run", file, "--out", file}, {"run", file, "--out", filepath.Join(file, "below")},
		{"run", file, "--resume", file}, {"run", file, "--resume", dir}, {"run", file, "--resume", filepath.Join(dir, "no")}, {"run", file, "--resume", run},
		{"table", run, "--format", "csv", "--only", "arms"}, {"table", run, "--only", "nothing"}, {"table", run, "--format", "xml"},
		{"sample", dir}, {"sample", filepath.Join(file, "below")}, {"sample", "a\x00b"},
		{"table", file}, {"table", dir}, {"table", filepath.Join(dir, "no")}, {"table", ""}, {"plot", file}, {"plot", dir}, {"plot", control},
		{"plot", run, "--out", file}, {"plot", run, "--out", filepath.Join(file, "below")},
		{"parity", dir}, {"parity", filepath.Join(dir, "no.yaml")}, {"parity", file}, {"parity", peer, "--out", dir},
		{"parity", peer, "--out", filepath.Join(dir, "no", "x")}, {"parity", peer, "--out", filepath.Join(file, "x")},
		{"parity", peer, "--limit", "-1"}, {"parity", peer, "--max-tokens", "-1"},
	} {
		code, out, err := call(t, "", args...)
		refused(t, fmt.Sprintf("%q", args), code, out, err, "")
	}
	if _, err := os.Stat(filepath.Join(dir, "r")); err == nil {
		t.Error("a refused run left a folder")
	}
}

// What cannot be done, and was asked for rightly, exits 1.
func TestFailure(t *testing.T) {
	open := func(ref string) (*experiments.Opened, error) {
		o, err := toys(ref)
		if err == nil {
			o.Model = broken{o.Model}
		}
		return o, err
	}
	_, file := lay(t)
	for _, args := range [][]string{{"generate", "-m", "toy", "x"}, {"run", file, "--out", filepath.Join(t.TempDir(), "r")}, {"cost", "toy", "-n", "2", "--context", "8"}} {
		if code, _, err := callUntil(t.Context(), open, "", args...); code != exitFailure || !strings.HasSuffix(err, "the machine is out of luck\n") {
			t.Errorf("%v: exit %d, %s", args, code, err)
		}
	}
	for _, err := range []error{&fs.PathError{Op: "write", Path: "rows.jsonl", Err: syscall.ENOSPC}, &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}} {
		if code := exitCode(t.Context(), err); code != exitFailure {
			t.Errorf("%v: exit %d, want 1", err, code)
		}
	}
}

// Text that cannot be written ends in an error, and nothing claims to know why the
// generation stopped.
func TestUnwritten(t *testing.T) {
	var stderr shared
	code := execute(t.Context(), app{open: toys, in: strings.NewReader(""), out: full{}, err: &stderr}, []string{"generate", "-m", "toy", "--ignore-eos", "x"})
	if got := stderr.String(); code != exitFailure || !strings.Contains(got, "in 1 rounds (broken off)") || !strings.HasSuffix(got, "no space left on device\n") {
		t.Errorf("exit %d, %s", code, got)
	}
}

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// broken fails at the first forward.
type broken struct{ model.Model }

func (b broken) NewSession() (model.Session, error) {
	s, err := b.Model.NewSession()
	return brokenSession{s}, err
}

type brokenSession struct{ model.Session }

func (brokenSession) Forward([]model.Token, int) (model.Logits, error) {
	return nil, errors.New("the machine is out of luck")
}

// A model that cannot be opened is bad input, whoever asks for it and why, and its
// file is named once.
func TestUnreadableModel(t *testing.T) {
	dir, file := lay(t)
	bad := filepath.Join(dir, "bad.gguf")
	put(t, bad, "no model")
	put(t, file, strings.Replace(config, "target: toy", "target: "+bad, 1))
	for _, args := range [][]string{{"generate", "-m", bad, "x"}, {"generate", "-m", "mlx:" + bad, "x"}, {"check-pair", bad, bad}, {"cost", bad}, {"run", file, "--out", filepath.Join(dir, "r")}} {
		code, out, err := callUntil(t.Context(), open.Model, "", args...)
		refused(t, fmt.Sprint(args), code, out, err, `malformed: a file that begins with "no m", want GGUF`)
		if strings.Count(err, bad) != 1 {
			t.Errorf("%v: the file is named %d times: %s", args, strings.Count(err, bad), err)
		}
	}
	for _, ref := range []string{"nobody", filepath.Join(dir, "nobody"), "pytorch:nobody", "../x/y/z"} {
		code, out, err := callUntil(t.Context(), open.Model, "", "check-pair", ref, "x")
		refused(t, ref, code, out, err, fmt.Sprintf("%q", ref))
	}
}
