package results

import (
	"cmp"
	"fmt"

	"foretoken/spec"
	"foretoken/stat"
)

// RoundTable lays out the rounds of one request.
func RoundTable(rounds []spec.Round) Table {
	t := Table{Name: "rounds", Title: "Rounds", Header: []string{"round", "drafted", "judged", "accepted", "killed", "next", "kind", "draft", "verify", "accept", "rest"}}
	for i, r := range rounds {
		t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprint(r.Drafted), fmt.Sprint(r.Judged), fmt.Sprint(r.Accepted), fmt.Sprint(r.Killed), fmt.Sprint(r.Next), r.Kind.String(),
			stat.Duration(r.Draft), stat.Duration(r.Verify), stat.Duration(r.Accept), stat.Duration(r.Rest)})
	}
	return t
}

// Describe is a line on one request.
func Describe(res spec.Result) string {
	t := Rounds(res.Rounds).totals()
	s := fmt.Sprintf("%d tokens in %d rounds (%s), first after %s", len(res.Tokens), len(res.Rounds), cmp.Or(string(res.Finish), "broken off"), stat.Duration(res.Facts.FirstToken))
	if d := t.Time().Seconds(); d > 0 {
		s += fmt.Sprintf(", then %.1f tokens/s", float64(len(res.Tokens))/d)
	}
	if t.Judged > 0 {
		s += fmt.Sprintf("; %d of %d judged draft tokens accepted (%.1f %%), %d drafted", t.Accepted, t.Judged, 100*float64(t.Accepted)/float64(t.Judged), t.Drafted)
	}
	if t.Killed > 0 {
		s += fmt.Sprintf(", %d forbidden by the constraint", t.Killed)
	}
	return s
}
