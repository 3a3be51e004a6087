package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"foretoken/stat"
)

// CSV writes the figures of every arm and domain as bare numbers in base units
// (seconds, bytes, shares of 1); a missing one is empty. Domain "" is all.
func (s Summary) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"arm", "drafter", "k", "verifier", "temperature", "domain", "prompts",
		"acceptance", "acceptance_low", "acceptance_high", "tokens_per_round", "tokens_per_round_low", "tokens_per_round_high",
		"speedup", "speedup_low", "speedup_high", "expected_speedup", "leviathan_speedup", "parity_equal", "parity_paired",
		"requests", "tokens", "rounds", "drafted", "judged", "accepted", "tokens_per_second", "t1_seconds", "c", "verify_ratio",
		"draft_share", "verify_share", "accept_share", "rest_share", "outside_share",
		"first_token_seconds", "gap_p50_seconds", "gap_p95_seconds", "cyclic_share",
		"constraint", "killed", "whole", "reasoning_tokens"})
	for _, a := range s.Arms {
		p := CountParity(a.Parity, "")
		c.Write(append(a.csvHead("", a.Prompts, a.Acceptance, a.PerRound, a.Speedup),
			bare(a.Expected), bare(a.Leviathan), fmt.Sprint(p.Equal), fmt.Sprint(p.Paired()),
			fmt.Sprint(a.Requests), fmt.Sprint(a.Tokens), fmt.Sprint(a.Rounds), fmt.Sprint(a.Drafted), fmt.Sprint(a.Judged), fmt.Sprint(a.Accepted),
			bare(a.Rate), bare(a.Costs.One.Seconds()), bare(a.Costs.Draft), bare(a.Costs.At(a.Arm.K+1)),
			bare(a.Split.Draft), bare(a.Split.Verify), bare(a.Split.Accept), bare(a.Split.Rest), bare(a.Split.Outside),
			bare(a.FirstToken.Seconds()), bare(a.GapP50.Seconds()), bare(a.GapP95.Seconds()), bare(a.Cyclic),
			a.Arm.Constraint, fmt.Sprint(a.Constraint.Killed), fmt.Sprint(a.Constraint.Whole), fmt.Sprint(a.Constraint.Reasoning)))
		for _, d := range a.Domains {
			row := append(a.csvHead(d.Domain, d.Prompts, d.Acceptance, d.PerRound, d.Speedup), "", "", fmt.Sprint(d.Parity.Equal), fmt.Sprint(d.Parity.Paired()))
			c.Write(append(row, make([]string, 23)...))
		}
	}
	c.Flush()
	return c.Error()
}

func (s ArmSummary) csvHead(domain string, prompts int, estimates ...stat.Interval) []string {
	row := []string{s.Arm.ID, s.Arm.Drafter, fmt.Sprint(s.Arm.K), s.Arm.Verifier, bare(s.Arm.Temperature), domain, fmt.Sprint(prompts)}
	for _, e := range estimates {
		row = append(row, bare(e.Value), bare(e.Low), bare(e.High))
	}
	return row
}

// ParityCSV writes a line for every row of a run: its tokens against the
// control's.
func (s Summary) ParityCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write(s.parityTable().Header)
	for _, a := range s.Arms {
		for _, p := range a.Parity {
			c.Write(p.cells(a.Arm.ID))
		}
	}
	c.Flush()
	return c.Error()
}

func bare(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// PositionsCSV writes the acceptance by draft position; domain "" is all.
func (s Summary) PositionsCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"arm", "domain", "position", "accepted", "judged", "acceptance", "acceptance_low", "acceptance_high", "prompts"})
	for _, a := range s.Arms {
		for _, d := range append([]DomainSummary{{Positions: a.Positions}}, a.Domains...) {
			for _, p := range d.Positions {
				c.Write([]string{a.Arm.ID, d.Domain, fmt.Sprint(p.Index), fmt.Sprint(p.Accepted), fmt.Sprint(p.Judged),
					bare(p.Estimate.Value), bare(p.Estimate.Low), bare(p.Estimate.High), fmt.Sprint(p.Estimate.N)})
			}
		}
	}
	c.Flush()
	return c.Error()
}
