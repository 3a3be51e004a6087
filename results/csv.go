package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"foretoken/stat"
)

// CSV writes the figures of every arm and domain as bare numbers in base units
// (seconds, bytes, shares of 1); a missing one is empty. Domain "" is all.
func (s Summary) CSV(w io.Writer) error {
	header := []string{"arm", "drafter", "k", "verifier", "temperature", "constraint", "domain"}
	for _, d := range definitions {
		if d.arm != nil {
			header = append(header, d.columns()...)
		}
	}
	rows := [][]string{header}
	for _, a := range s.Arms {
		row := a.Arm.cells("")
		for _, d := range definitions {
			if d.arm != nil {
				row = append(row, d.cells(d.arm(a))...)
			}
		}
		rows = append(rows, row)
		for _, in := range a.Domains {
			row := a.Arm.cells(in.Domain)
			for _, d := range definitions {
				switch {
				case d.arm == nil:
				case d.domain == nil:
					row = append(row, make([]string, len(d.columns()))...)
				default:
					row = append(row, d.cells(d.domain(in))...)
				}
			}
			rows = append(rows, row)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

func (a Arm) cells(domain string) []string {
	return []string{a.ID, a.Drafter, fmt.Sprint(a.K), a.Verifier, bare(a.Temperature), a.Constraint, domain}
}

// columns head the value and, where it has one, the ends of its interval.
func (d Definition) columns() []string {
	if !d.interval {
		return []string{d.Name}
	}
	return []string{d.Name, d.Name + "_low", d.Name + "_high"}
}

func (d Definition) cells(i stat.Interval) []string {
	if !d.interval {
		return []string{bare(i.Value)}
	}
	return []string{bare(i.Value), bare(i.Low), bare(i.High)}
}

// ParityCSV writes a line for every row of a run: its tokens against the
// control's.
func (s Summary) ParityCSV(w io.Writer) error {
	rows := [][]string{s.parityTable().Header}
	for _, a := range s.Arms {
		for _, p := range a.Parity {
			rows = append(rows, p.cells(a.Arm.ID))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

func bare(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	if x == math.Trunc(x) && math.Abs(x) < 1e15 { // a count is whole
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// PositionsCSV writes the acceptance by draft position; domain "" is all.
func (s Summary) PositionsCSV(w io.Writer) error {
	rows := [][]string{{"arm", "domain", "position", "accepted", "judged", "acceptance", "acceptance_low", "acceptance_high", "prompts"}}
	for at := range slices.Chunk(s.positionFigures(), 3) {
		row := []string{at[0].Arm.ID, at[0].Domain, fmt.Sprint(at[0].Position)}
		for _, f := range at {
			row = append(row, f.cells(f.Value)...)
		}
		rows = append(rows, append(row, fmt.Sprint(at[2].Value.N)))
	}
	return csv.NewWriter(w).WriteAll(rows)
}
