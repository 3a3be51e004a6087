package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Table is figures laid out to be read: what it is of, its columns, its rows,
// and what has to be known to read it.
type Table struct {
	Name   string // also its file's
	Title  string
	Header []string
	Rows   [][]string
	Notes  []string
}

// parityColumn stands for the figures of parity, in one column.
const parityColumn = "parity"

// head heads the column of a figure.
func head(name string) string {
	if name == parityColumn {
		return name
	}
	return Defined(name).Head
}

// define adds what the figures of some columns are: in one note where it is the same.
func (t *Table) define(names ...string) {
	var texts, heads []string
	for _, name := range names {
		text := Defined(name).Text
		i := slices.Index(texts, text)
		if i < 0 {
			i, texts, heads = len(texts), append(texts, text), append(heads, "")
		}
		heads[i] = strings.TrimPrefix(heads[i]+", "+head(name), ", ")
	}
	for i, text := range texts {
		t.Notes = append(t.Notes, heads[i]+" = "+text)
	}
}

// Tables lays out a summary.
func (s Summary) Tables() []Table {
	tables := []Table{s.armTable(), s.roundTable(), s.timeTable(), s.positionTable(), s.domainTable(), s.parityTable()}
	if s.constrained() {
		tables = append(tables, s.constraintTable())
	}
	return tables
}

// byArm has a row an arm, and a column a figure.
func (s Summary) byArm(name, title string, figures ...string) Table {
	t := Table{Name: name, Title: title, Header: []string{"arm"}}
	for _, f := range figures {
		t.Header = append(t.Header, head(f))
	}
	for _, a := range s.Arms {
		row := []string{a.Label}
		for _, f := range figures {
			if f == parityColumn {
				row = append(row, CountParity(a.Parity, "").String())
			} else {
				row = append(row, a.Figure(f).String())
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s Summary) armTable() Table {
	t := s.byArm("arms", "Arms", "prompts", "acceptance", "tokens_per_round", "speedup", "expected_speedup", "leviathan_speedup", parityColumn)
	t.Notes = []string{"n is prompts; every interval is 95 % and clustered by prompt (t on n-1 below 20, bootstrap from 20, none below 5)"}
	t.define("acceptance", "tokens_per_round", "speedup", "expected_speedup", "leviathan_speedup")
	t.Notes = append(t.Notes, "parity = "+Defined("parity_equal").Text+", of those that have one")
	return t
}

func (s Summary) roundTable() Table {
	t := s.byArm("rounds", "Rounds", "requests", "tokens", "rounds", "drafted", "judged", "accepted", "of_drafted", "drafted_per_round", "tokens_per_second")
	t.define("of_drafted", "tokens_per_second")
	return t
}

func (s Summary) timeTable() Table {
	figures := []string{"draft_share", "verify_share", "accept_share", "rest_share", "outside_share", "first_token_seconds", "gap_p50_seconds", "gap_p95_seconds",
		"t1_seconds", "c", "verify_ratio", "cyclic_share"}
	t := s.byArm("times", "Where the time goes", figures...)
	t.define(figures...)
	if peak := s.PeakMemory(); peak > 0 {
		t.Notes = append(t.Notes, "the process held "+bytesOf(peak)+" at most, all arms together")
	}
	return t
}

func (s Summary) positionTable() Table {
	t := Table{Name: "positions", Title: "Acceptance by draft position",
		Header: []string{"arm", "domain", "position", head("position_accepted"), head("position_judged"), head("position_acceptance"), "n"},
		Notes:  []string{"n is prompts that reached the position"}}
	t.define("position_acceptance")
	for at := range slices.Chunk(s.positionFigures(), 3) {
		f := at[2]
		t.Rows = append(t.Rows, []string{f.Label, cmp.Or(f.Domain, "all"), fmt.Sprint(f.Position), at[0].String(), at[1].String(), f.String(), fmt.Sprint(f.Value.N)})
	}
	return t
}

// positionFigures are three a draft position: accepted, judged, acceptance.
func (s Summary) positionFigures() []Figure {
	return slices.DeleteFunc(s.Figures(), func(f Figure) bool { return f.Position == 0 })
}

func (s Summary) domainTable() Table {
	figures := []string{"prompts", "acceptance", "tokens_per_round", "speedup"}
	t := Table{Name: "domains", Title: "By domain", Header: []string{"arm", "domain"},
		Notes: []string{"as in the table of the arms, over the prompts of one domain"}}
	for _, name := range append(figures, parityColumn) {
		t.Header = append(t.Header, head(name))
	}
	for _, a := range s.Arms {
		for _, d := range a.Domains {
			row := []string{a.Label, d.Domain}
			for _, name := range figures {
				of := Defined(name)
				row = append(row, of.write(of.domain(d)))
			}
			t.Rows = append(t.Rows, append(row, d.Parity.String()))
		}
	}
	return t
}

func (s Summary) parityTable() Table {
	t := Table{Name: "parity", Title: "Tokens that differ from the control's",
		Header: []string{"arm", "prompt", "domain", "seed", "repeat", "verdict", "first", "tokens"},
		Notes:  []string{"first = index of the first token that differs; a sampled arm under a rule other than match keeps the law, not the draw"}}
	for _, a := range s.Arms {
		for _, p := range a.Parity {
			if p.Verdict == Differs || p.Verdict == Unpaired {
				t.Rows = append(t.Rows, p.cells(a.Label))
			}
		}
	}
	return t
}

func (p Parity) cells(arm string) []string {
	first := "-"
	if p.First >= 0 {
		first = fmt.Sprint(p.First)
	}
	return []string{arm, p.Row.Prompt, p.Domain, fmt.Sprint(p.Row.Seed), fmt.Sprint(p.Row.Repeat), string(p.Verdict), first, fmt.Sprint(p.Tokens)}
}
