package decode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Way is one of llama.cpp's to decode a text greedily.
type Way struct {
	Name    string   // plain, lookup or draft model
	Program string   // that decodes so
	Args    []string // of its own
	K       int      // draft length; 0 is plain decoding
}

// Ways are those that its programs in a folder allow: plain decoding, which is lookup
// of no tokens, lookup, and a draft model in a file, if there is one. missing are the
// programs that the folder lacks.
func Ways(folder, draft string) (ways []Way, missing []string) {
	has := func(program string) bool {
		_, err := os.Stat(filepath.Join(folder, program))
		if err != nil {
			missing = append(missing, program)
		}
		return err == nil
	}
	if has("llama-lookup") {
		ways = append(ways, Way{Name: "plain", Program: "llama-lookup"}, Way{Name: "lookup", Program: "llama-lookup", K: 1})
	}
	if draft != "" && has("llama-speculative-simple") {
		ways = append(ways, Way{Name: "draft model", Program: "llama-speculative-simple", Args: []string{"-md", draft, "--spec-type", "draft-simple"}, K: 1})
	}
	return ways, missing
}

// With is w at a draft length.
func (w Way) With(k int) Way {
	w.K = k
	return w
}

// String implements fmt.Stringer.
func (w Way) String() string {
	if w.K == 0 {
		return "llama.cpp, " + w.Name
	}
	return fmt.Sprintf("llama.cpp, %s, K=%d", w.Name, w.K)
}

// Texts times a way on texts, up to so many tokens of each. A text counts as the same
// where what the program wrote begins as this program's plain decoding does.
func (l Llama) Texts(name string, w Way, texts []Text, tokens int) Arm {
	return Arm{Name: name, Tasks: TextTasks(texts), Time: func(ctx context.Context, t Task) (Measure, error) {
		stdout, stderr, err := l.run(ctx, w.Program, l.textArgs(w, t.Text.Said, tokens)...)
		if err != nil {
			return Measure{}, err
		}
		d, err := decoded(stderr)
		if err != nil {
			return Measure{}, fmt.Errorf("%s: %w", w.Program, err)
		}
		if d.prompt != len(t.Text.Prompt) {
			return Measure{}, fmt.Errorf("%s reads a prompt of %d tokens, want the %d of this program", w.Program, d.prompt, len(t.Text.Prompt))
		}
		if w.Program == "llama-lookup" && d.tokens > 1 {
			d.tokens-- // the first is of the prefill's logits, and not in the time
		}
		wrote := strings.TrimRight(strings.TrimLeft(string(stdout), "\n"), "\n")
		wanted := strings.TrimRight(strings.TrimLeft(t.Text.Said+t.Text.Wanted, "\n"), "\n")
		return Measure{MS: d.seconds * 1e3 / float64(d.tokens), Tokens: d.tokens,
			Same: strings.HasPrefix(wrote, wanted)}, nil
	}}
}

// textArgs are greedy. Both programs stop once they have more than -n.
func (l Llama) textArgs(w Way, prompt string, tokens int) []string {
	n := tokens
	if w.Program != "llama-lookup" {
		n = max(tokens-1, 1)
	}
	args := []string{"-m", l.Model, "-t", strconv.Itoa(l.Threads), "-c", "2048", "--temp", "0", "--top-k", "1", "--no-escape", "-n", strconv.Itoa(n), "-p", prompt, "--spec-draft-n-max", strconv.Itoa(w.K)}
	if w.Program != "llama-lookup" {
		args = append(args, "-td", strconv.Itoa(l.Threads))
	}
	return append(args, w.Args...)
}

// what such a program says at its end.
type said struct {
	prompt, tokens int
	seconds        float64
}

var encodedLine = regexp.MustCompile(`encoded\s+(\d+) tokens in`)
var decodedLine = regexp.MustCompile(`decoded\s+(\d+) tokens in\s+([\d.]+) seconds`)

func decoded(says []byte) (s said, err error) {
	e, d := encodedLine.FindSubmatch(says), decodedLine.FindSubmatch(says)
	if e == nil || d == nil {
		return s, fmt.Errorf("it printed %.80q, want lines with the tokens it encoded and decoded", tail(says))
	}
	s.prompt, _ = strconv.Atoi(string(e[1]))
	s.tokens, _ = strconv.Atoi(string(d[1]))
	s.seconds, err = strconv.ParseFloat(string(d[2]), 64)
	if err == nil && !(s.tokens > 0 && s.seconds > 0) {
		err = fmt.Errorf("it decoded %d tokens in %v s", s.tokens, s.seconds)
	}
	return s, err
}
