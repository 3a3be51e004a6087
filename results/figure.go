package results

import (
	"slices"

	"foretoken/stat"
)

// A Definition says what a figure is. It stands in one list: tables, files and pictures take
// the word, the unit, the text and the digits from there.
type Definition struct {
	Name string // in files
	Head string // over a column
	Unit string // of the value: "share", "tokens", "s", "t(1)", ...; "" is a plain count
	Text string

	write    func(stat.Interval) string
	interval bool // has one, where there is enough to make it of
	arm      func(ArmSummary) stat.Interval
	domain   func(DomainSummary) stat.Interval // nil: it is of whole arms alone
	position func(Position) stat.Interval      // of a draft position instead
}

// A Figure is a number of a run, and of what it is.
type Figure struct {
	Definition
	Arm      Arm
	Label    string // the arm's
	Domain   string // "" is all
	Position int    // in the draft, from 1; 0 is none
	Value    stat.Interval
}

// String writes the value as tables do.
func (f Figure) String() string { return f.write(f.Value) }

// Defined returns the definition of a name, which has to be in the list.
func Defined(name string) Definition {
	return definitions[slices.IndexFunc(definitions, func(d Definition) bool { return d.Name == name })]
}

// Figure returns a figure of the whole arm by its name, which has to be in the list.
func (s ArmSummary) Figure(name string) Figure {
	return s.figure(Defined(name), "", 0, Defined(name).arm(s))
}

func (s ArmSummary) figure(d Definition, domain string, position int, value stat.Interval) Figure {
	return Figure{Definition: d, Arm: s.Arm, Label: s.Label, Domain: domain, Position: position, Value: value}
}

// Figures are all figures of the run: of each arm, then of each domain of it, and of the draft
// positions of both.
func (s Summary) Figures() []Figure {
	var out []Figure
	for _, a := range s.Arms {
		for _, d := range definitions {
			if d.arm != nil {
				out = append(out, a.figure(d, "", 0, d.arm(a)))
			}
		}
		out = append(out, a.atPositions("", a.Positions)...)
		for _, in := range a.Domains {
			out = append(out, a.InDomain(in.Domain)...)
		}
	}
	return out
}

// InDomain are the figures of one domain, and of the draft positions in it; none where the
// arm has no rows of it.
func (s ArmSummary) InDomain(name string) []Figure {
	i := slices.IndexFunc(s.Domains, func(d DomainSummary) bool { return d.Domain == name })
	if i < 0 {
		return nil
	}
	var out []Figure
	for _, d := range definitions {
		if d.domain != nil {
			out = append(out, s.figure(d, name, 0, d.domain(s.Domains[i])))
		}
	}
	return append(out, s.atPositions(name, s.Domains[i].Positions)...)
}

// atPositions are the figures of draft positions, position by position.
func (s ArmSummary) atPositions(domain string, positions []Position) []Figure {
	var out []Figure
	for _, p := range positions {
		for _, d := range definitions {
			if d.position != nil {
				out = append(out, s.figure(d, domain, p.Index, d.position(p)))
			}
		}
	}
	return out
}
