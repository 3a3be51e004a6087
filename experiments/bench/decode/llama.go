package decode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Llama is llama.cpp: the folder of its programs, and the threads they take.
type Llama struct {
	Folder  string
	Threads int
}

// Missing says which of its programs are not there.
func (l Llama) Missing(names ...string) (missing []string) {
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(l.Folder, name)); err != nil {
			missing = append(missing, name)
		}
	}
	return missing
}

// Arm times a GGUF file with llama-bench, behind a text of depth tokens.
func (l Llama) Arm(file string, depth, prefill int) Arm {
	return Arm{Name: "llama.cpp", Tasks: Tasks(prefill), Time: func(ctx context.Context, t Task) (float64, error) {
		prompt, decode, behind := t.Rows, 0, depth
		if t.Rows == 0 {
			decode = Decode
		}
		if t.Prefill {
			behind = 0
		}
		out, err := l.run(ctx, "llama-bench", "-m", file, "-t", strconv.Itoa(l.Threads), "-p", strconv.Itoa(prompt), "-n", strconv.Itoa(decode), "-d", strconv.Itoa(behind), "-r", "3", "-o", "json")
		if err != nil {
			return 0, err
		}
		ns, err := benchTime(out)
		if t.Rows == 0 || t.Prefill {
			ns /= float64(max(decode, prompt))
		}
		return ns / 1e6, err
	}}
}

// benchTime is the median of the samples that llama-bench took, in nanoseconds.
func benchTime(out []byte) (float64, error) {
	var tests []struct {
		Samples []float64 `json:"samples_ns"`
	}
	start := bytes.IndexByte(out, '[')
	if start < 0 {
		return 0, fmt.Errorf("llama-bench printed %.80q, want a list of JSON", out)
	}
	if err := json.NewDecoder(bytes.NewReader(out[start:])).Decode(&tests); err != nil {
		return 0, fmt.Errorf("llama-bench printed %.80q, want a list of JSON: %w", out, err)
	}
	if len(tests) != 1 || len(tests[0].Samples) == 0 {
		return 0, fmt.Errorf("llama-bench took %d tests, want one with its samples", len(tests))
	}
	return median(tests[0].Samples), nil
}

// Texts times one of llama.cpp's programs that decode speculatively on texts, greedily;
// more are its own arguments.
func (l Llama) Texts(name, program, file string, texts []string, tokens int, more ...string) Arm {
	return Arm{Name: name, Tasks: []Task{Speculation}, Time: func(ctx context.Context, _ Task) (float64, error) {
		var seconds, n float64
		for _, text := range texts {
			args := append([]string{"-m", file, "-t", strconv.Itoa(l.Threads), "-c", "2048", "--temp", "0", "-n", strconv.Itoa(tokens), "-p", text}, more...)
			out, err := l.run(ctx, program, args...)
			if err != nil {
				return 0, err
			}
			k, s, err := decoded(out)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", program, err)
			}
			n, seconds = n+k, seconds+s
		}
		return seconds * 1e3 / n, nil
	}}
}

var decodedLine = regexp.MustCompile(`decoded\s+(\d+) tokens in\s+([\d.]+) seconds`)

// decoded is what such a program says at its end.
func decoded(out []byte) (tokens, seconds float64, err error) {
	m := decodedLine.FindSubmatch(out)
	if m == nil {
		return 0, 0, fmt.Errorf("it printed %.80q, want a line with the tokens it decoded", tail(out))
	}
	tokens, _ = strconv.ParseFloat(string(m[1]), 64)
	seconds, err = strconv.ParseFloat(string(m[2]), 64)
	if err == nil && !(tokens > 0 && seconds > 0) {
		err = fmt.Errorf("it decoded %v tokens in %v s", tokens, seconds)
	}
	return tokens, seconds, err
}

func (l Llama) run(ctx context.Context, program string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, filepath.Join(l.Folder, program), args...)
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+l.Folder)
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, tail(out))
	}
	return out, nil
}

// tail is the last line that says something.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
