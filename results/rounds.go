package results

import (
	"encoding/json"
	"fmt"
	"time"

	"foretoken/spec"
	"foretoken/strict"
	"foretoken/verify"
)

// Rounds are the rounds of a request, in order. In a file they stand by column,
// which is a quarter of the size.
type Rounds []spec.Round

type columns struct {
	Drafted  []int           `json:"drafted"`
	Judged   []int           `json:"judged"`
	Accepted []int           `json:"accepted"`
	Killed   []int           `json:"killed,omitempty"` // left out where all are 0
	Next     []int           `json:"next"`
	Kind     string          `json:"kind"` // a letter a round: b bonus, c correction
	Draft    []time.Duration `json:"draft_ns"`
	Verify   []time.Duration `json:"verify_ns"`
	Accept   []time.Duration `json:"accept_ns"`
	Rest     []time.Duration `json:"rest_ns"`
	Read     []int64         `json:"read,omitempty"` // absent: nothing was, or the run is older
}

const kindLetters = "bc" // by verify.NextKind

// MarshalJSON implements json.Marshaler.
func (rs Rounds) MarshalJSON() ([]byte, error) {
	var c columns
	for _, r := range rs {
		c.Drafted, c.Judged = append(c.Drafted, r.Drafted), append(c.Judged, r.Judged)
		c.Accepted, c.Next = append(c.Accepted, r.Accepted), append(c.Next, r.Next)
		c.Killed = append(c.Killed, r.Killed)
		c.Kind += kindLetters[r.Kind : r.Kind+1]
		c.Draft, c.Verify = append(c.Draft, r.Draft), append(c.Verify, r.Verify)
		c.Accept, c.Rest = append(c.Accept, r.Accept), append(c.Rest, r.Rest)
		c.Read = append(c.Read, r.Read)
	}
	if rs.totals().Read == 0 {
		c.Read = nil
	}
	if rs.totals().Killed == 0 {
		c.Killed = nil
	}
	return json.Marshal(c)
}

// UnmarshalJSON implements json.Unmarshaler.
func (rs *Rounds) UnmarshalJSON(data []byte) error {
	var c columns
	if err := strict.Known(data, &c); err != nil {
		return err
	}
	n := len(c.Drafted)
	if c.Killed == nil {
		c.Killed = make([]int, n)
	}
	for _, have := range []int{len(c.Killed), len(c.Judged), len(c.Accepted), len(c.Next), len(c.Kind),
		len(c.Draft), len(c.Verify), len(c.Accept), len(c.Rest)} {
		if have != n {
			return fmt.Errorf("rounds: columns of %d and %d values, want one length", n, have)
		}
	}
	if c.Read == nil {
		c.Read = make([]int64, n)
	} else if len(c.Read) != n {
		return fmt.Errorf("rounds: columns of %d and %d values, want one length", n, len(c.Read))
	}
	*rs = make(Rounds, n)
	for i := range *rs {
		kind := verify.Bonus
		switch c.Kind[i] {
		case 'b':
		case 'c':
			kind = verify.Correction
		default:
			return fmt.Errorf("rounds: kind %q of round %d, want b or c", c.Kind[i], i)
		}
		(*rs)[i] = spec.Round{Drafted: c.Drafted[i], Judged: c.Judged[i], Accepted: c.Accepted[i], Next: c.Next[i], Killed: c.Killed[i],
			Kind: kind, Draft: c.Draft[i], Verify: c.Verify[i], Accept: c.Accept[i], Rest: c.Rest[i], Read: c.Read[i]}
	}
	return nil
}

// totals sums every field but Kind.
func (rs Rounds) totals() spec.Round {
	var t spec.Round
	for _, r := range rs {
		t.Drafted, t.Judged = t.Drafted+r.Drafted, t.Judged+r.Judged
		t.Accepted, t.Next, t.Killed = t.Accepted+r.Accepted, t.Next+r.Next, t.Killed+r.Killed
		t.Draft, t.Verify = t.Draft+r.Draft, t.Verify+r.Verify
		t.Accept, t.Rest, t.Read = t.Accept+r.Accept, t.Rest+r.Rest, t.Read+r.Read
	}
	return t
}
