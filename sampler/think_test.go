package sampler

import (
	"slices"
	"testing"

	"foretoken/model"
)

// follow generates n tokens of a greedy row that changes with the position.
func follow(t *testing.T, e ConstraintEngine, rows []logits) []model.Token {
	t.Helper()
	width := len(rows[0])
	b, _ := NewBuilder(NewConfig(0), width, width)
	at := Position{Engine: e}
	for _, row := range rows {
		d, err := b.SamplingDistribution(row, 0, at)
		if err != nil {
			t.Fatal(err)
		}
		if at, err = at.Next(d.Draw(0)); err != nil {
			t.Fatal(err)
		}
	}
	return at.History
}

// says is a row whose best id is x.
func says(width int, ids ...model.Token) []logits {
	var rows []logits
	for _, x := range ids {
		row := make(logits, width)
		row[x] = 5
		rows = append(rows, row)
	}
	return rows
}

// At most budget tokens of reasoning, then the end once, whatever the row says.
func TestThink(t *testing.T) {
	for _, c := range []struct {
		budget     int
		says, want []model.Token
	}{
		{0, []model.Token{0, 0, 0}, []model.Token{2, 0, 0}},
		{1, []model.Token{0, 0, 0, 0}, []model.Token{0, 2, 0, 0}},
		{3, []model.Token{0, 2, 0, 0, 0, 0}, []model.Token{0, 2, 0, 0, 0, 0}}, // closed by itself
		{2, []model.Token{0, 0, 2, 2}, []model.Token{0, 0, 2, 2}},             // the end in the answer is its own
		{Unlimited, []model.Token{0, 0, 0, 0}, []model.Token{0, 0, 0, 0}},
	} {
		if got := follow(t, Think(c.budget, 2, nil), says(3, c.says...)); !slices.Equal(got, c.want) {
			t.Errorf("budget %d: %v, want %v", c.budget, got, c.want)
		}
	}
}

// What is forced is a point, before mask, bias and penalties, and the grammar
// begins with the token after it.
func TestThinkThenGrammar(t *testing.T) {
	got := follow(t, Think(2, 2, only(1)), says(4, 0, 3, 0, 0, 3))
	if want := []model.Token{0, 3, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	c := NewConfig(1)
	c.LogitBias = map[model.Token]float32{2: -inf}
	b, _ := NewBuilder(c, 3, 3)
	d, err := b.SamplingDistribution(logits{1, 1, -inf}, 0, Position{Engine: Think(0, 2, nil)})
	if err != nil || d.Prob(2) != 1 || d.Fingerprint() != b.Fingerprint() {
		t.Errorf("%v %v, want a point on the end", support(d), err)
	}
}

// An end of sequence may come while the block is open, as nothing is masked there: it is
// a token of the reasoning, and what follows a complete text is not asked about it.
func TestEndWhileThinking(t *testing.T) {
	const eos = 3
	for name, e := range map[string]ConstraintEngine{
		"opened": Think(9, 2, only(1)),
		"opens":  mustNext(t, MayThink(9, 1, 2, only(0)), 1),
	} {
		if got := follow(t, e, says(4, 0, eos)); !slices.Equal(got, []model.Token{0, eos}) {
			t.Errorf("%s: %v, want the end of sequence", name, got)
		}
	}
	// With no budget left the closing tag comes first, and then the answer.
	if got := follow(t, Think(1, 2, only(1)), says(4, 0, eos, eos)); !slices.Equal(got, []model.Token{0, 2, 1}) {
		t.Errorf("%v, want the tag and the answer", got)
	}
}

func mustNext(t *testing.T, e ConstraintEngine, x model.Token) ConstraintEngine {
	t.Helper()
	next, err := e.Next(x)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// A closing tag of several tokens, begun by itself, broken off, and forced.
func TestThinkUntil(t *testing.T) {
	end := []model.Token{1, 1, 2}
	for _, c := range []struct {
		budget     int
		says, want []model.Token
	}{
		{0, []model.Token{0, 0, 0, 0}, []model.Token{1, 1, 2, 0}},
		{2, []model.Token{0, 0, 0, 0, 0, 0}, []model.Token{0, 0, 1, 1, 2, 0}},
		{2, []model.Token{0, 1, 0, 0, 0}, []model.Token{0, 1, 1, 2, 0}},             // begun at the budget's end
		{9, []model.Token{1, 1, 1, 2, 0}, []model.Token{1, 1, 1, 2, 0}},             // its own beginning repeats
		{4, []model.Token{1, 0, 1, 0, 0, 0, 0}, []model.Token{1, 0, 1, 0, 1, 1, 2}}, // broken off twice
	} {
		if got := follow(t, ThinkUntil(c.budget, end, nil), says(3, c.says...)); !slices.Equal(got, c.want) {
			t.Errorf("budget %d: %v, want %v", c.budget, got, c.want)
		}
	}
}

// A block that the model may open: the grammar allows that one id more, once.
func TestMayThink(t *testing.T) {
	for _, c := range []struct{ says, want []model.Token }{
		{[]model.Token{3, 0, 0, 0}, []model.Token{3, 0, 2, 1}},
		{[]model.Token{0, 3, 0}, []model.Token{1, 1, 1}},
	} {
		if got := follow(t, MayThink(1, 3, 2, only(1)), says(4, c.says...)); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	if got := follow(t, MayThink(0, 3, 2, nil), says(4, 3, 0, 0)); !slices.Equal(got, []model.Token{3, 2, 0}) {
		t.Errorf("without a grammar: %v", got)
	}
}
