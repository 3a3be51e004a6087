package results

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"foretoken/stat"
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

// Tables lays out a summary.
func (s Summary) Tables() []Table {
	tables := []Table{s.armTable(), s.roundTable(), s.timeTable(), s.positionTable(), s.domainTable(), s.parityTable()}
	if s.constrained() {
		tables = append(tables, s.constraintTable())
	}
	return tables
}

func (s Summary) armTable() Table {
	t := Table{Name: "arms", Title: "Arms",
		Header: []string{"arm", "n", "acceptance", "tokens/round", "speed-up", "expected", "Leviathan's", "parity"},
		Notes: []string{
			"n is prompts; every interval is 95 % and clustered by prompt (t on n-1 below 20, bootstrap from 20, none below 5)",
			"acceptance = " + AcceptanceDefinition,
			"tokens/round = emitted / rounds, the target's own token counted",
			"speed-up = " + SpeedupDefinition,
			"expected = sum of (1 + a1 + ... + a1*...*ad) / sum of (d*c + t(d+1)/t(1)) over the rounds, each of which drafted d tokens; costs as measured; none below 5 prompts",
			"Leviathan's = (1-a^(K+1)) / ((1-a)(K*c+1)); assumes that a verify costs one step and that every round drafts K tokens",
			"parity = requests whose tokens are the control's, of those that have one",
		}}
	for _, a := range s.Arms {
		t.Rows = append(t.Rows, []string{a.Label, fmt.Sprint(a.Prompts), stat.Percent.Interval(a.Acceptance), stat.Plain.Interval(a.PerRound),
			a.speedup(a.Speedup), stat.Times.Value(a.Expected), stat.Times.Value(a.Leviathan), CountParity(a.Parity, "").String()})
	}
	return t
}

func (s Summary) roundTable() Table {
	t := Table{Name: "rounds", Title: "Rounds",
		Header: []string{"arm", "requests", "tokens", "rounds", "drafted", "judged", "accepted", "of drafted", "drafted/round", "tokens/s"},
		Notes: []string{
			"of drafted = accepted / drafted, which counts as lost what was never judged",
			"tokens/s = tokens / time of the rounds, prefill left out",
		}}
	for _, a := range s.Arms {
		t.Rows = append(t.Rows, []string{a.Label, fmt.Sprint(a.Requests), fmt.Sprint(a.Tokens), fmt.Sprint(a.Rounds),
			fmt.Sprint(a.Drafted), fmt.Sprint(a.Judged), fmt.Sprint(a.Accepted), stat.Percent.Interval(a.OfDrafted),
			number(float64(a.Drafted)/float64(a.Rounds), 2), number(a.Rate, 1)})
	}
	return t
}

// speedup is "-" for the control, which has nothing to be held against.
func (s ArmSummary) speedup(e stat.Interval) string {
	if s.Arm.Control() {
		return "-"
	}
	return stat.Speedup.Interval(e)
}

func (s Summary) timeTable() Table {
	t := Table{Name: "times", Title: "Where the time goes",
		Header: []string{"arm", "draft", "verify", "accept", "rest", "outside", "first token", "gap p50", "gap p95", "t(1)", "c", "t(K+1)/t(1)", "cyclic"},
		Notes: []string{
			"draft, verify, accept and rest share the rounds' time; outside = set-up and prefill, of the wall time",
			"c = time to draft a token, t(n) = a forward of n rows, both in t(1) of the control: medians over rounds after the first",
			"first token, gaps: medians over requests; cyclic: tokens in a cycle of at most 24 tokens, three times over",
		}}
	for _, a := range s.Arms {
		t.Rows = append(t.Rows, []string{a.Label,
			stat.Percent.Value(a.Split.Draft), stat.Percent.Value(a.Split.Verify), stat.Percent.Value(a.Split.Accept), stat.Percent.Value(a.Split.Rest), stat.Percent.Value(a.Split.Outside),
			stat.Duration(a.FirstToken), stat.Duration(a.GapP50), stat.Duration(a.GapP95), stat.Duration(a.Costs.One), number(a.Costs.Draft, 3), number(a.Costs.At(a.Arm.K+1), 2),
			stat.Percent.Value(a.Cyclic)})
	}
	if peak := s.PeakMemory(); peak > 0 {
		t.Notes = append(t.Notes, "the process held "+bytesOf(peak)+" at most, all arms together")
	}
	return t
}

func (s Summary) positionTable() Table {
	t := Table{Name: "positions", Title: "Acceptance by draft position",
		Header: []string{"arm", "domain", "position", "accepted", "judged", "acceptance", "n"},
		Notes:  []string{"conditional: given that every position before was accepted; n is prompts that reached it"}}
	for _, a := range s.Arms {
		add := func(domain string, ps []Position) {
			for _, p := range ps {
				t.Rows = append(t.Rows, []string{a.Label, domain, fmt.Sprint(p.Index), fmt.Sprint(p.Accepted), fmt.Sprint(p.Judged), stat.Percent.Interval(p.Estimate), fmt.Sprint(p.Estimate.N)})
			}
		}
		add("all", a.Positions)
		for _, d := range a.Domains {
			add(d.Domain, d.Positions)
		}
	}
	return t
}

func (s Summary) domainTable() Table {
	t := Table{Name: "domains", Title: "By domain",
		Header: []string{"arm", "domain", "n", "acceptance", "tokens/round", "speed-up", "parity"},
		Notes:  []string{"as in the table of the arms, over the prompts of one domain"}}
	for _, a := range s.Arms {
		for _, d := range a.Domains {
			t.Rows = append(t.Rows, []string{a.Label, d.Domain, fmt.Sprint(d.Prompts), stat.Percent.Interval(d.Acceptance), stat.Plain.Interval(d.PerRound), a.speedup(d.Speedup), d.Parity.String()})
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

// Title is one line on what the run was.
func (s Summary) Title() string {
	h := s.Header
	parts := []string{h.Name, h.Started.Format(time.DateTime)}
	if len(h.Models) > 0 {
		parts = append(parts, "target "+h.Models[0].Ref)
	}
	parts = append(parts, fmt.Sprintf("%d of %d rows", s.Rows, h.Rows))
	if h.Host.CPU != "" {
		parts = append(parts, fmt.Sprintf("%s (%d cores)", h.Host.CPU, h.Host.Cores))
	}
	if s.Names.Common != "" {
		parts = append(parts, s.Names.Common)
	}
	return strings.Join(parts, ", ")
}

// Measured is a line on what was measured: the target, its engine, the machine, and how
// long texts may be.
func (s Summary) Measured() string {
	h := s.Header
	var parts []string
	if len(h.Models) > 0 {
		engine, target, ok := strings.Cut(h.Models[0].Ref, ":")
		if !ok || strings.ContainsAny(engine, `/\.`) {
			engine, target = "ref", h.Models[0].Ref
		}
		parts = append(parts, fmt.Sprintf("target %s on %s", target, engine))
	}
	if h.Host.CPU != "" {
		parts = append(parts, fmt.Sprintf("%d cores of %s", h.Host.Cores, h.Host.CPU))
	}
	var config struct {
		MaxTokens int `json:"max_tokens"`
	}
	switch err := json.Unmarshal(h.Config, &config); {
	case err == nil && config.MaxTokens > 0:
		parts = append(parts, fmt.Sprintf("at most %d tokens per text", config.MaxTokens))
	case err == nil && config.MaxTokens < 0:
		parts = append(parts, "texts as long as the context allows")
	}
	return strings.Join(parts, "; ")
}
