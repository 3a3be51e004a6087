package decode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"foretoken/stat"
)

// A Llama is llama.cpp: the folder of its programs, the file of its model, and the
// threads they take.
type Llama struct {
	Folder  string
	Model   string
	Threads int
}

// Arm times the model on its own with llama-bench, behind a text of depth tokens.
func (l Llama) Arm(name string, depth, prefill int) Arm {
	return Arm{Name: name, Tasks: Tasks(prefill), Time: func(ctx context.Context, t Task) (Measure, error) {
		prompt, decode, behind := t.Rows, 0, depth
		if t.Rows == 0 {
			decode = Decode
		}
		if t.Prefill {
			behind = 0
		}
		stdout, stderr, err := l.run(ctx, "llama-bench", "-m", l.Model, "-t", strconv.Itoa(l.Threads), "-p", strconv.Itoa(prompt), "-n", strconv.Itoa(decode), "-d", strconv.Itoa(behind), "-r", "3", "-o", "json")
		if err != nil {
			return Measure{}, err
		}
		ns, err := benchTime(append(stdout, stderr...))
		if t.Rows == 0 || t.Prefill {
			ns /= float64(max(decode, prompt))
		}
		return Measure{MS: ns / 1e6}, err
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
	return stat.Median(tests[0].Samples), nil
}

// run gives what a program writes, and what it says meanwhile.
func (l Llama) run(ctx context.Context, program string, args ...string) (stdout, stderr []byte, err error) {
	c := exec.CommandContext(ctx, filepath.Join(l.Folder, program), args...)
	c.Env = append(c.Environ(), l.Env()...)
	var out, says bytes.Buffer
	c.Stdout, c.Stderr = &out, &says
	if err := c.Run(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %s", program, err, tail(append(out.Bytes(), says.Bytes()...)))
	}
	return out.Bytes(), says.Bytes(), nil
}

// Env lets the programs find their libraries.
func (l Llama) Env() []string { return []string{"LD_LIBRARY_PATH=" + l.Folder} }

// tail is the last line that says something.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
