package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A whole bench on toys and fakes: every arm is there, those of this program are held to
// its plain decoding, and a run that was broken off goes on.
func TestBenchDecode(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"toy/m.gguf", "cousin/d.gguf"} { // for peers, which read files
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, name, "")
	}
	if err := os.Mkdir("llama", 0o755); err != nil {
		t.Fatal(err)
	}
	const text = `#!/bin/sh
while [ $# -gt 0 ]; do test "$1" = -p && prompt=$2; shift; done
echo x >> llama/calls
printf '\n\n%s and on\n\n' "$prompt"
echo "encoded ${#prompt} tokens in 0.1 seconds" >&2
echo "decoded 5 tokens in 400.0 seconds" >&2
`
	for name, script := range map[string]string{"llama-lookup": text, "llama-speculative-simple": text, "llama-bench": "#!/bin/sh\necho '[{\"samples_ns\": [9e9]}]'\n"} {
		if err := os.WriteFile(filepath.Join("llama", name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "p.jsonl", `{"id": "a", "domain": "code", "prompt": "def f", "raw": true}
{"id": "b", "domain": "code", "prompt": "class g", "raw": true}
{"id": "c", "domain": "chat", "prompt": "Hello"}
`)
	put(t, "peer.sh", `test $1 = mlx-lm || { echo '{"absent": "no torch"}'; exit; }
echo '{"ready": "mlx-lm 9"}'; while read line; do echo '{"ms": 99}'; done`)
	args := []string{"bench", "decode", "toy", "--prompts", "p.jsonl", "--texts", "2", "--tokens", "6", "--rounds", "2", "--context", "8", "--prefill", "8", "--draft-model", "cousin",
		"--head", "crown", "--llama", "llama", "--python", "sh", "--peers", "peer.sh", "--llama-k", "2,4", "--llama-threads", "2,1", "--out", "out"}
	code, out, err := call(t, "", args...)
	if code != exitOK {
		t.Fatalf("exit %d, %s", code, err)
	}
	for _, want := range []string{"foretoken, plain", "foretoken, ngram, K=2", "foretoken, draft model, K=2", "foretoken, head, K=3", "llama.cpp, plain", "llama.cpp, lookup, K=", "llama.cpp, draft model, K=",
		"mlx-lm 9", "transformers: not installed here: no torch", "threads, of [2 1] tried", "its tokens are those of plain decoding on 3 of 3 texts", "as fast as llama.cpp, "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		ours := strings.Contains(line, "foretoken, ") && !strings.Contains(line, "best other")
		if theirs := strings.HasPrefix(strings.TrimSpace(line), "llama.cpp, "); ours && !strings.Contains(line, "3 of 3") || theirs && !strings.Contains(line, "0 of 3") {
			t.Error(line)
		}
	}
	for _, name := range []string{"samples.jsonl", "texts.txt", "texts.md", "texts.svg", "texts.png", "decode.txt", "decode.md", "decode.svg", "decode.png"} {
		if info, err := os.Stat(filepath.Join("out", name)); err != nil || info.Size() == 0 {
			t.Error(name, err)
		}
	}
	resumeDecode(t, args)
}

func resumeDecode(t *testing.T, args []string) {
	t.Helper()
	path := filepath.Join("out", "samples.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(whole, []byte("llama/")) || bytes.Contains(whole, []byte("peer.sh")) {
		t.Error("the samples tell where the peers lie")
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	before, _ := os.ReadFile("llama/calls")
	put(t, path, string(bytes.Join(lines[:len(lines)-3], nil))) // the last is empty
	refuseDecode(t, args)
	code, out, errs := call(t, "", append(args, "--resume")...)
	if code != exitOK || !strings.Contains(out, "3 of 3") {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if strings.Contains(out, "taken up at") {
		t.Errorf("one revision is two in\n%s", out)
	}
	again, _ := os.ReadFile(path)
	if n := bytes.Count(again, []byte("\n")); n != len(lines)-1 {
		t.Errorf("%d lines, want %d", n, len(lines)-1)
	}
	if after, _ := os.ReadFile("llama/calls"); len(after)-len(before) > 2*len("x\n") {
		t.Errorf("llama.cpp ran %d times again", (len(after)-len(before))/2)
	}
	if code, _, errs := call(t, "", append(args, "--resume", "--tokens", "7")...); code != exitBadInput || !strings.Contains(errs, `begun with --tokens "6", this is "7"`) {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// refuseDecode: what cannot be run leaves the run that is there as it is.
func refuseDecode(t *testing.T, args []string) {
	t.Helper()
	path := filepath.Join("out", "samples.jsonl")
	before, _ := os.ReadFile(path)
	for want, more := range map[string][]string{
		"--llama nowhere: no llama-lookup there": {"--llama", "nowhere"},
		"--ngram-k has 2 twice, want each once":  {"--ngram-k", "2,3,2"},
		"want whole numbers with commas":         {"--head-k", "2;3"},
	} {
		code, _, errs := call(t, "", append(args[:len(args):len(args)], more...)...)
		if code != exitBadInput || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %s", more, code, errs)
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a refused run has written over the one that was there")
	}
	if path, err := gguf("ref-f32:toy"); path != filepath.Join("toy", "m.gguf") {
		t.Error(path, err)
	}
	if _, err := gguf("embedded"); err == nil || !strings.Contains(err.Error(), "no file that peers could read") {
		t.Error(err)
	}
}
