package results

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
)

// Logprobs are the log-probabilities of a request's tokens, nil for one that was
// forced. In a file they stand by column, to six digits.
type Logprobs []*sampler.Logprobs

type logprobColumns struct {
	Tokens   []model.Token   `json:"tokens"`
	Logprobs []*number32     `json:"logprobs"` // null: the token was forced
	TopIDs   [][]model.Token `json:"top_ids"`
	Top      [][]number32    `json:"top"`
}

// number32 is a log-probability to as many digits as a float32 logit supports.
type number32 float64

// MarshalJSON implements json.Marshaler. What is not finite is null.
func (x number32) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
		return []byte("null"), nil
	}
	return []byte(bare(float64(x))), nil
}

// MarshalJSON implements json.Marshaler.
func (ls Logprobs) MarshalJSON() ([]byte, error) {
	c := logprobColumns{}
	for _, l := range ls {
		if l == nil {
			c.Tokens, c.Logprobs = append(c.Tokens, 0), append(c.Logprobs, nil)
			c.TopIDs, c.Top = append(c.TopIDs, []model.Token{}), append(c.Top, []number32{})
			continue
		}
		own, ids, values := number32(l.Logprob), []model.Token{}, []number32{}
		for _, t := range l.Top {
			ids, values = append(ids, t.Token), append(values, number32(t.Logprob))
		}
		c.Tokens, c.Logprobs = append(c.Tokens, l.Token), append(c.Logprobs, &own)
		c.TopIDs, c.Top = append(c.TopIDs, ids), append(c.Top, values)
	}
	return json.Marshal(c)
}

// UnmarshalJSON implements json.Unmarshaler.
func (ls *Logprobs) UnmarshalJSON(data []byte) error {
	var c logprobColumns
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	n := len(c.Tokens)
	if len(c.Logprobs) != n || len(c.TopIDs) != n || len(c.Top) != n {
		return fmt.Errorf("log-probabilities: columns of %d, %d, %d and %d values, want one length", n, len(c.Logprobs), len(c.TopIDs), len(c.Top))
	}
	*ls = make(Logprobs, n)
	for i := range *ls {
		if len(c.TopIDs[i]) != len(c.Top[i]) {
			return fmt.Errorf("log-probabilities: token %d has %d ids and %d values", i, len(c.TopIDs[i]), len(c.Top[i]))
		}
		if c.Logprobs[i] == nil {
			continue
		}
		l := &sampler.Logprobs{Token: c.Tokens[i], Logprob: float64(*c.Logprobs[i])}
		for j, t := range c.TopIDs[i] {
			l.Top = append(l.Top, sampler.TokenLogprob{Token: t, Logprob: float64(c.Top[i][j])})
		}
		(*ls)[i] = l
	}
	return nil
}

// LogprobTable lays out those of one request; piece is what a token reads.
func LogprobTable(res spec.Result, piece func(model.Token) string) Table {
	t := Table{Name: "logprobs", Title: "Log-probabilities", Header: []string{"token", "id", "piece", "log-probability", "the best at its place"},
		Notes: []string{"natural logarithms of the softmax of the model's own logits, before mask, penalties, temperature and filters"}}
	for i, x := range res.Tokens {
		own, best := "forced", []string{}
		if l := res.Logprobs[i]; l != nil {
			own = number(l.Logprob, 4)
			for _, o := range l.Top {
				best = append(best, fmt.Sprintf("%q %.4f", piece(o.Token), o.Logprob))
			}
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprint(x), fmt.Sprintf("%q", piece(x)), own, strings.Join(best, ", ")})
	}
	return t
}
