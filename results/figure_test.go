package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Every figure says what it is and of what unit, under a name of its own.
func TestDefinitions(t *testing.T) {
	names := map[string]bool{}
	for _, d := range definitions {
		if names[d.Name] || d.Name == "" || d.Head == "" || d.Text == "" || d.write == nil || (d.arm == nil) == (d.position == nil) {
			t.Errorf("%+v", d)
		}
		names[d.Name] = true
		if !slices.Contains([]string{"", "share", "tokens", "tokens/s", "s", "x", "t(1)"}, d.Unit) {
			t.Errorf("%s is in %q", d.Name, d.Unit)
		}
	}
}

// A figure is the same in the list, in JSON, in CSV and in the tables.
func TestFiguresAreTheSameEverywhere(t *testing.T) {
	s := Summarise(sixPrompts())
	var text, table bytes.Buffer
	if err := s.JSON(&text); err != nil {
		t.Fatal(err)
	}
	var list []figureJSON
	if err := json.Unmarshal(text.Bytes(), &list); err != nil || len(list) != len(s.Figures()) {
		t.Fatal(err, len(list))
	}
	if err := s.CSV(&table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	inCSV := map[string]string{}
	for _, r := range rows[1:] {
		for j, name := range rows[0] {
			inCSV[r[0]+"|"+r[slices.Index(rows[0], "domain")]+"|"+name] = r[j]
		}
	}
	for i, f := range s.Figures() {
		in := list[i]
		if in.Name != f.Name || in.Unit != f.Unit || in.Definition != f.Text || in.Arm != f.Arm.ID || in.Domain != f.Domain || in.Position != f.Position || in.N != f.Value.N {
			t.Errorf("%+v is %+v in JSON", f, in)
		}
		for suffix, pair := range map[string]struct {
			value  float64
			inJSON *float64
		}{"": {f.Value.Value, in.Value}, "_low": {f.Value.Low, in.Low}, "_high": {f.Value.High, in.High}} {
			if want := finite(pair.value); (want == nil) != (pair.inJSON == nil) || want != nil && *want != *pair.inJSON {
				t.Errorf("%s%s of %s is %v, in JSON %v", f.Name, suffix, f.Label, pair.value, pair.inJSON)
			}
			if f.Position > 0 || suffix != "" && !f.interval {
				continue
			}
			if got, ok := inCSV[f.Arm.ID+"|"+f.Domain+"|"+f.Name+suffix]; !ok || got != bare(pair.value) {
				t.Errorf("%s%s of %s in %q is %v, in CSV %q", f.Name, suffix, f.Label, f.Domain, pair.value, got)
			}
		}
	}
	arms := s.Tables()[0]
	for i, a := range s.Arms {
		if f := a.Figure("acceptance"); arms.Rows[i][slices.Index(arms.Header, f.Head)] != f.String() || !strings.Contains(strings.Join(arms.Notes, "\n"), f.Head+" = "+f.Text) {
			t.Errorf("%v with %v, want %s", arms.Rows[i], arms.Notes, f)
		}
	}
}
