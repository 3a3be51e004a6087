package decode

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script is a peer in shell: StartPython runs it with sh.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "peer.sh")
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A peer is asked for each task with the tokens that it is of.
func TestPython(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	path := script(t, `echo "{\"ready\": \"$1 1.0 of $2\"}"; while read line; do echo "$line" >> `+asked+`; echo '{"ms": 2.5}'; done`)
	p := StartPython(t.Context(), "sh", path, "some", "m.gguf", io.Discard)
	if p.Absent != "" || p.Name != "some 1.0 of m.gguf" {
		t.Fatal(p)
	}
	a := p.Arm(50, 3, 4)
	for _, task := range a.Tasks {
		if m, err := a.Time(t.Context(), task); m.MS != 2.5 || err != nil {
			t.Error(m, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	data, _ := os.ReadFile(asked)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for i, want := range []struct {
		op            string
		before, after int
	}{{"token", 3, 1}, {"rows", 3, 5}, {"rows", 3, 9}, {"prefill", 0, 4}} {
		var q ask
		if err := json.Unmarshal([]byte(lines[i]), &q); err != nil || q.Op != want.op || len(q.Before) != want.before || len(q.Tokens) != want.after {
			t.Errorf("%s (%v), want %+v", lines[i], err, want)
		}
	}
}

// A library that is not there says so, or what ended it; one that fails is an error.
func TestPythonIsAbsent(t *testing.T) {
	for body, want := range map[string]string{
		`echo '{"absent": "no module"}'`: "no module",
		`exit 3`:                         "ended",
		`echo what`:                      `said "what`,
		`echo '{}'`:                      "did not say",
	} {
		p := StartPython(t.Context(), "sh", script(t, body), "x", "m", io.Discard)
		if !strings.Contains(p.Absent, want) || p.Close() != nil {
			t.Errorf("%s: %+v, want %s", body, p, want)
		}
	}
	p := StartPython(t.Context(), filepath.Join(t.TempDir(), "no-python"), "x", "x", "m", io.Discard)
	if p.Absent == "" || p.Close() != nil {
		t.Error(p)
	}
	for body, want := range map[string]string{
		`echo '{"ready": "x"}'; read line; echo '{"error": "memory"}'`: "memory",
		`echo '{"ready": "x"}'; read line; echo '{"ms": 0}'`:           "0 ms",
		`echo '{"ready": "x"}'; read line`:                             "ended",
	} {
		p := StartPython(t.Context(), "sh", script(t, body), "x", "m", io.Discard)
		if p.Absent != "" {
			t.Fatal(p)
		}
		if _, err := p.Arm(9, 1, 1).Time(t.Context(), Tasks(1)[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
		p.Close()
	}
}
