package bench

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain lets this binary be a peer of its own test.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCH_PEER") {
	case "work":
		if err := Work(os.Stdin, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	case "masks":
		if err := WorkMasks(os.Stdin, os.Stdout, os.Args[1], bytesAsWords); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	case "absent":
		os.Stdout.WriteString("absent no such library\n")
	case "lies":
		os.Stdout.WriteString("ready liar\nsome words\n")
	default:
		os.Exit(m.Run())
	}
	os.Exit(0)
}

func as(t *testing.T, role string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"env", "BENCH_PEER=" + role, self}
}

// Every task on every row is timed by every peer that is there; who is not there is
// named, with the reason.
func TestTime(t *testing.T) {
	o := Options{Self: as(t, "work"), Vocabulary: 3000, Rounds: 3, Times: 2, Bound: as(t, "work"),
		others: [][]string{append([]string{"ghost"}, as(t, "absent")...), {"nobody", "/no/such/program"}}}
	run, err := Time(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := 2 * len(Tasks()) * len(Rows()); len(run.Cells) != n {
		t.Errorf("%d cells, want %d", len(run.Cells), n)
	}
	for _, c := range run.Cells {
		if len(c.Medians) != o.Rounds || slices.Min(c.Medians) <= 0 {
			t.Errorf("%+v", c)
		}
	}
	var text strings.Builder
	if err := run.Table("a machine").Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"chain", "nearly flat", "foretoken, ", "not here: ghost: no such library", "not here: nobody: ", "a machine"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
}

func TestTimeRefuses(t *testing.T) {
	for want, edit := range map[string]func(*Options){
		"no such library":                 func(o *Options) { o.Self = as(t, "absent") },
		`liar says "some words"`:          func(o *Options) { o.others = [][]string{append([]string{"x"}, as(t, "lies")...)} },
		"the bound in C, by /no/compiler": func(o *Options) { o.Bound, o.CC = nil, "/no/compiler" },
	} {
		o := Options{Self: as(t, "work"), Vocabulary: 1000, Rounds: 1, Times: 1, Bound: as(t, "work")}
		edit(&o)
		if _, err := Time(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWorkerRefuses(t *testing.T) {
	for line, want := range map[string]string{"chain 1": "want TASK TIMES FILE", "dance 1 x": "no task", "chain x x": "a number of times", "chain 1 /no/file": "no such file"} {
		var out strings.Builder
		if err := Work(strings.NewReader(line+"\n"), &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}
