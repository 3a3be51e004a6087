package experiments

import (
	"fmt"
	"strconv"

	"foretoken/model"
	"foretoken/results"
)

// control is the control token whose text is exactly this.
func (o *Opened) control(text string) (model.Token, bool) {
	ids := o.Tokenizer.Encode(text, true)
	if len(ids) != 1 || !o.Tokenizer.Special(ids[0]) || o.Tokenizer.Piece(ids[0]) != text {
		return 0, false
	}
	return ids[0], true
}

// EndsOf are the tokens that end a text: those that are named, by the text of a control token
// or by id, or the model's own where none is.
func (o *Opened) EndsOf(names []string) ([]results.End, error) {
	if len(names) == 0 {
		return o.Ends, nil
	}
	var ends []results.End
	for _, name := range names {
		id, ok := o.control(name)
		if !ok {
			n, err := strconv.ParseInt(name, 10, 32)
			if id = model.Token(n); err != nil || n < 0 || int(n) >= o.Model.Info().Real {
				return nil, fmt.Errorf("end of sequence %q: want the text of a control token of %s, or an id from 0 to %d", name, o.Name, o.Model.Info().Real-1)
			}
		}
		ends = append(ends, results.End{ID: id, Text: o.Tokenizer.Piece(id), From: []string{"the request"}})
	}
	return ends, nil
}

// EndTokens are the ids of ends.
func EndTokens(ends []results.End) []model.Token {
	var ids []model.Token
	for _, e := range ends {
		ids = append(ids, e.ID)
	}
	return ids
}

// StopTokens are the control tokens that stop strings name: their text is in no output, so
// that only their id can be found.
func (o *Opened) StopTokens(stop []string) []model.Token {
	var ids []model.Token
	for _, s := range stop {
		if id, ok := o.control(s); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
