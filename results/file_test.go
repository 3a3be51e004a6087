package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"foretoken/model"
	"foretoken/results/jsonl"
)

func write(t *testing.T, run *Run) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	run.Header.Config = json.RawMessage(`{"name":"test"}`)
	w, err := Create(dir, run.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Rows {
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRoundTrip(t *testing.T) {
	want := sixPrompts()
	dir := write(t, want)
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Rows, want.Rows) || !reflect.DeepEqual(got.Header.Arms, want.Header.Arms) || got.Truncated {
		t.Errorf("read %+v, wrote %+v", got, want)
	}
	if _, err := Create(dir, want.Header); !errors.Is(err, ErrExists) {
		t.Errorf("a second run in one folder: %v", err)
	}
}

// Whatever is cut off the end, the rows before it can be read, and a resumed run
// goes on behind them.
func TestResumeAfterCut(t *testing.T) {
	run := sixPrompts()
	dir := write(t, run)
	path := filepath.Join(dir, rowsFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for _, cut := range []int{last + 1, last + 40, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := Read(dir)
		if err != nil || !got.Truncated || len(got.Rows) != len(run.Rows)-1 {
			t.Fatalf("cut at %d: %v, %d rows", cut, err, len(got.Rows))
		}
		_, w, err := Resume(dir)
		if err != nil {
			t.Fatal(err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, whole[:last]) {
			t.Fatalf("cut at %d: resuming leaves part of a row", cut)
		}
		if err := w.Append(run.Rows[len(run.Rows)-1]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, whole) {
			t.Fatalf("cut at %d: the resumed file differs from the whole one", cut)
		}
	}
}

// A row whose rounds do not sum to its totals is named.
func TestReadChecksSums(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Row)
		want  string
	}{
		{func(r *Row) { r.Accepted++ }, "accepted: the rounds sum to 3, the row says 4"},
		{func(r *Row) { r.Drafted-- }, "drafted: the rounds sum to 6, the row says 5"},
		{func(r *Row) { r.Judged++ }, "judged"},
		{func(r *Row) { r.Next = 2 }, "next"},
		{func(r *Row) { r.Killed++ }, "killed: the rounds sum to 0, the row says 1"},
		{func(r *Row) { r.Rounds[1].Killed = 3; r.Killed = 3 }, "round 1: the constraint forbade 3, want at most the"},
		{func(r *Row) { r.Logprobs = make(Logprobs, 1) }, "log-probabilities of 1 tokens, want 6"},
		{func(r *Row) { r.Reasoning = 7 }, "7 tokens of reasoning, want at most the 6 there are"},
		{func(r *Row) { r.Tokens = r.Tokens[1:] }, "emitted: the rounds sum to 6, the row says 5"},
		{func(r *Row) { r.Rounds[1].Judged = 3; r.Judged += 2 }, "round 1: drafted 2, judged 3"},
		{func(r *Row) { r.Rounds[1].Next = 2; r.Next++ }, "round 1: next 2"},
		{func(r *Row) { r.Facts.Wall = r.Decode() / 2 }, "times: the parts sum to"},
		{func(r *Row) { r.Arm = plainArm.ID; r.Prompt = "other" }, "drafted by the control"},
		{func(r *Row) { r.Arm = "nobody" }, `arm "nobody" is not in the header`},
		{func(r *Row) { r.Prompt = "chat0" }, "is on line 2 already"},
		{func(r *Row) { r.Prompt = "" }, "prompt: is missing"},
		{func(r *Row) { r.Repeat = -1 }, "repeat: -1, want at least 0"},
		{func(r *Row) { r.PromptTokens = -1 }, "prompt_tokens: -1"},
		{func(r *Row) { r.Tokens = append([]model.Token{-1}, r.Tokens[1:]...) }, "tokens[0]: -1, want an id from 0 to 99"},
		{func(r *Row) { r.Tokens = append([]model.Token{100}, r.Tokens[1:]...) }, "tokens[0]: 100, want an id from 0 to 99"},
		{func(r *Row) { r.Finish = "bored" }, `finish: "bored", want one of ["eos"`},
		{func(r *Row) { r.Facts.Setup = -1 }, "setup_ns: -1, want at least 0"},
		{func(r *Row) { r.Facts.PrefillTarget = -1 }, "prefill_target_ns: -1"},
		{func(r *Row) { r.Facts.PrefillDraft = -1 }, "prefill_draft_ns: -1"},
		{func(r *Row) { r.Facts.FirstToken = -1 }, "first_token_ns: -1"},
		{func(r *Row) { r.Facts.FirstToken = time.Hour }, "first_token_ns: 3600000000000, want at most wall_ns"},
		{func(r *Row) { r.Facts.GapP50 = -1 }, "gap_p50_ns: -1"},
		{func(r *Row) { r.Facts.GapP50 = 1 }, "gap_p50_ns: 1, want at most gap_p95_ns, 0"},
		{func(r *Row) { r.Facts.GapP95 = -1 }, "gap_p95_ns: -1"},
		{func(r *Row) { r.Facts.Wall = -1 }, "wall_ns: -1"},
		{func(r *Row) { r.Facts.PeakMemory = -1 }, "peak_memory_bytes: -1"},
	} {
		run := sixPrompts()
		run.Header.Models = []ModelInfo{{Info: model.Info{Vocab: 100}}}
		spoilt := &run.Rows[3]
		spoilt.Rounds = append(Rounds(nil), spoilt.Rounds...)
		c.spoil(spoilt)
		_, err := Read(write(t, run))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "line 4") {
			t.Errorf("%v, want %q on line 4", err, c.want)
		}
	}
}

// Rows are nobody's to throw away, a header beside them or not.
func TestCreateKeepsRows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, rowsFile)
	if err := os.WriteFile(path, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, Header{}); !errors.Is(err, ErrExists) {
		t.Errorf("over rows without a header: %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != "mine\n" {
		t.Errorf("%q is left, %v", data, err)
	}
}

func TestReadRefuses(t *testing.T) {
	dir := write(t, sixPrompts())
	for _, c := range []struct{ name, text, want string }{
		{headerFile, `{"format": 2}`, "format 2, want 1"},
		{headerFile, `{"format": 1, "format": 1}`, "format: is there already, want each key once"},
		{headerFile, `{"format": "1"}`, "format: text, want a whole number"},
		{headerFile, `[]`, "a list, want a group of keys"},
		{rowsFile, "{\"rounds\": {\"drafted\": [1]}}\n", "columns of 1 and 0 values, want one length"},
		{rowsFile, "{\"arm\": \"a\", \"arm\": \"b\"}\n", "line 1: arm: is there already"},
		{rowsFile, "{\"rounds\": {\"kind\": \"b\", \"kind\": \"c\"}}\n", "rounds.kind: is there already"},
		{rowsFile, "{\"rounds\": {\"drafted\": \"1\"}}\n", "drafted: text, want a list, each a whole number"},
		{rowsFile, "{\"tokens\": [1.5]}\n", "line 1: tokens: 1.5, want a whole number"},
		{rowsFile, "{\"arm\"\n", "line 1: ends before the JSON does"},
	} {
		name, text := c.name, c.text
		path := filepath.Join(dir, name)
		old, _ := os.ReadFile(path)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v, want the file named, and %q", name, text, err, c.want)
		}
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is no run") {
		t.Errorf("an empty folder: %v", err)
	}
}

// An arm that no run has is refused, whatever would be made of it later.
func TestReadChecksArms(t *testing.T) {
	for want, spoil := range map[string]func(*Header){
		"k -1, want 0 to 1024":            func(h *Header) { h.Arms[1].K = -1 },
		"k 1000000000000, want 0 to 1024": func(h *Header) { h.Arms[1].K = 1e12 },
		"is there twice":                  func(h *Header) { h.Arms[1].ID = h.Arms[0].ID },
		"temperature -1, want at least 0": func(h *Header) { h.Arms[1].Temperature = -1 },
		"rows: -1, want at least 0":       func(h *Header) { h.Rows = -1 },
	} {
		run := sixPrompts()
		run.Header.Arms = append([]Arm(nil), run.Header.Arms...)
		spoil(&run.Header)
		if _, err := Read(write(t, run)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), headerFile) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// One process writes a run at a time, and what is no folder is not called a run.
func TestOneWriter(t *testing.T) {
	run := sixPrompts()
	run.Header.Config = json.RawMessage(`{}`)
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, run.Header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, run.Header); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("a second run beside one that is written: %v", err)
	}
	if _, _, err := Resume(dir); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("resuming a run that is written: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, w, err = Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(dir, rowsFile), run.Header); err == nil || errors.Is(err, ErrExists) {
		t.Errorf("a run in a file: %v", err)
	}
}

// Every acceptance says what it is of and over how many prompts, every speed-up
// how it was taken, in text and in Markdown; rates appear nowhere in a row.
func TestTablesSayWhatTheyShow(t *testing.T) {
	run := sixPrompts()
	run.Dir = t.TempDir()
	s := Summarise(run)
	paths, err := WriteTables(run.Dir, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != 5 {
		t.Errorf("wrote %v", paths)
	}
	for _, path := range paths[:2] {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{Defined("acceptance").Text, Defined("speedup").Text, "clustered by prompt", "60.0 % [60.0, 60.0]", "1.16x [1.16, 1.16]", "6/6"} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s lacks %q:\n%s", path, want, data)
			}
		}
	}
	arms, _ := os.ReadFile(paths[2])
	lines := strings.Split(strings.TrimSpace(string(arms)), "\n")
	for _, line := range lines {
		if strings.Count(line, ",") != strings.Count(lines[0], ",") {
			t.Errorf("arms.csv: %q has another number of fields than the header", line)
		}
	}
}
