package results

import (
	"math"
	"slices"
	"time"

	"foretoken/stat"
)

// A Summary is what a run says, arm by arm in the header's order.
type Summary struct {
	Header    Header
	Arms      []ArmSummary // those with rows
	Rows      int
	Truncated bool
	Domains   []string // in order of appearance
	Names     Names    // of the arms and the series
}

// An ArmSummary is one arm's figures. Every rate comes with what it is of.
type ArmSummary struct {
	Arm      Arm
	Label    string // Names.Arm
	Requests int
	Prompts  int
	Tokens   int
	Rounds   int
	Drafted  int
	Judged   int
	Accepted int

	Acceptance stat.Interval // accepted / judged
	OfDrafted  stat.Interval // accepted / drafted
	PerRound   stat.Interval // emitted / rounds
	Rate       float64       // tokens per second of the rounds
	Speedup    stat.Interval // over the control; none of it
	Positions  []Position
	Costs      Costs
	Expected   float64 // ExpectedSpeedup from Positions, the drafted lengths and Costs; NaN where a part is missing, and of fewer than 5 prompts
	Leviathan  float64 // LeviathanSpeedup from Acceptance and Costs
	Domains    []DomainSummary
	Constraint ConstraintSummary

	Split      Split
	FirstToken time.Duration // median
	GapP50     time.Duration // median of the requests' p50
	GapP95     time.Duration // median of the requests' p95
	Cyclic     float64       // share of tokens, CyclicShare

	Parity []Parity

	peakMemory int64 // of the process while its rows ran, whatever ran before
}

// PeakMemory is the most bytes that the process of a run held: a figure of no arm, as all
// arms run in one process.
func (s Summary) PeakMemory() int64 {
	most := int64(0)
	for _, a := range s.Arms {
		most = max(most, a.peakMemory)
	}
	return most
}

// A DomainSummary is an arm on one domain of prompts.
type DomainSummary struct {
	Domain     string
	Prompts    int
	Acceptance stat.Interval
	PerRound   stat.Interval
	Speedup    stat.Interval
	Positions  []Position
	Parity     ParityCount
}

// Summarise computes the figures of a run.
func Summarise(run *Run) Summary {
	s := Summary{Header: run.Header, Rows: len(run.Rows), Truncated: run.Truncated, Names: NamesOf(run.Header.Arms)}
	byArm := map[string][]Row{}
	for _, r := range run.Rows {
		byArm[r.Arm] = append(byArm[r.Arm], r)
		if !slices.Contains(s.Domains, r.Domain) {
			s.Domains = append(s.Domains, r.Domain)
		}
	}
	for _, a := range run.Header.Arms {
		if rows := byArm[a.ID]; len(rows) > 0 {
			one := summariseArm(a, rows, byArm[controlOf(run.Header.Arms, a)], s.Domains)
			one.Label = s.Names.Arm(a)
			s.Arms = append(s.Arms, one)
		}
	}
	return s
}

func summariseArm(a Arm, rows, control []Row, domains []string) ArmSummary {
	s := ArmSummary{
		Arm: a, Requests: len(rows), Prompts: prompts(rows),
		Acceptance: Acceptance(rows), OfDrafted: AcceptanceOfDrafted(rows), PerRound: TokensPerRound(rows),
		Speedup: Speedup(rows, control), Positions: Positions(rows, a.K), Costs: MeasureCosts(rows, control),
		Constraint: constraintOf(rows), Split: SplitOf(rows), Parity: Parities(a, rows, control),
		FirstToken: medianOf(rows, func(r Row) time.Duration { return r.Facts.FirstToken }),
		GapP50:     medianOf(rows, func(r Row) time.Duration { return r.Facts.GapP50 }),
		GapP95:     medianOf(rows, func(r Row) time.Duration { return r.Facts.GapP95 }),
	}
	var decode time.Duration
	for _, r := range rows {
		s.Tokens, s.Rounds, decode = s.Tokens+len(r.Tokens), s.Rounds+len(r.Rounds), decode+r.Decode()
		s.Drafted, s.Judged, s.Accepted = s.Drafted+r.Drafted, s.Judged+r.Judged, s.Accepted+r.Accepted
		s.peakMemory = max(s.peakMemory, r.Facts.PeakMemory)
		s.Cyclic += CyclicShare(r.Tokens) * float64(len(r.Tokens))
	}
	s.Cyclic /= float64(s.Tokens)
	if a.Control() { // which has nothing to be held against
		s.Speedup, control = stat.Alone(math.NaN(), 0), nil
	}
	s.Rate = float64(s.Tokens) / decode.Seconds()
	s.expect(rows)
	for _, d := range domains {
		if in := only(rows, d); len(in) > 0 {
			s.Domains = append(s.Domains, DomainSummary{Domain: d, Prompts: prompts(in), Acceptance: Acceptance(in),
				PerRound: TokensPerRound(in), Speedup: Speedup(in, only(control, d)), Positions: Positions(in, a.K),
				Parity: CountParity(s.Parity, d)})
		}
	}
	return s
}

// expect fills in both expectations; NaN goes through. Of fewer prompts than an
// interval wants, the costs are noise and so would these be.
func (s *ArmSummary) expect(rows []Row) {
	s.Expected, s.Leviathan = math.NaN(), math.NaN()
	if s.Arm.Control() || s.Prompts < stat.Fewest {
		return
	}
	a := make([]float64, len(s.Positions))
	for i, p := range s.Positions {
		a[i] = p.Estimate.Value
	}
	drafted := map[int]int{}
	for _, r := range rows {
		for _, x := range r.Rounds {
			drafted[x.Drafted]++
		}
	}
	s.Expected = ExpectedSpeedup(a, drafted, s.Costs)
	s.Leviathan = LeviathanSpeedup(s.Acceptance.Value, s.Arm.K, s.Costs.Draft)
}

func only(rows []Row, domain string) []Row {
	var out []Row
	for _, r := range rows {
		if r.Domain == domain {
			out = append(out, r)
		}
	}
	return out
}

func prompts(rows []Row) int {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Prompt] = true
	}
	return len(seen)
}
