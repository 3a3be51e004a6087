package spec

import (
	"foretoken/model"
	"foretoken/sampler"
)

// An Emission is what a step adds to the text. It is final: nothing of it is taken back.
type Emission struct {
	Tokens   []model.Token
	Text     string
	Logprobs []*sampler.Logprobs // of Tokens, where asked for
	Rounds   []Round             // those whose every token is decided by now
	Finish   Finish              // "" while the text goes on
}

// emit releases what can no longer be cut.
func (g *Generation) emit() Emission {
	sent := g.text.sent
	g.cut()
	text := g.text.release()
	n := g.text.sent
	e := Emission{Tokens: g.Tokens()[sent:n:n], Text: text, Rounds: g.ledger.release(n, g.Done()), Finish: g.text.finish}
	if len(g.logprobs) >= n && g.logprobs != nil {
		e.Logprobs = g.logprobs[sent:n:n]
	}
	if len(e.Tokens) > 0 || e.Text != "" {
		g.pace.tick()
	}
	return e
}

// cut drops the tokens whose text begins at or after a stop string.
func (g *Generation) cut() {
	n := g.text.cut()
	g.tokens = g.tokens[:g.first()+n]
	g.logprobs = g.logprobs[:min(len(g.logprobs), n)]
}
