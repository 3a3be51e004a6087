package results_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/results"
)

// The runs kept with the project are whole, pass every check of the reader, lose
// no parity where it is exact, and their tables are what their rows give today.
func TestKeptRuns(t *testing.T) {
	headers, err := filepath.Glob("kept/*/header.json")
	if err != nil || len(headers) == 0 {
		t.Fatalf("%v, %d kept runs", err, len(headers))
	}
	for _, header := range headers {
		dir := filepath.Dir(header)
		run, err := results.Read(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if run.Truncated || len(run.Rows) != run.Header.Rows || run.Header.Revision == "" {
			t.Errorf("%s: %d of %d rows, revision %q", dir, len(run.Rows), run.Header.Rows, run.Header.Revision)
		}
		s := results.Summarise(run)
		for _, a := range s.Arms {
			if c := results.CountParity(a.Parity, ""); a.Arm.Exact() && c.Equal != a.Requests {
				t.Errorf("%s: %s has parity %v", dir, a.Label, c)
			}
		}
		var now strings.Builder
		if err := s.Text(&now); err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(filepath.Join(dir, "tables.txt")); err != nil || string(kept) != now.String() {
			t.Errorf("%s/tables.txt is not what its rows give (%v); foretoken table prints it", dir, err)
		}
	}
}
