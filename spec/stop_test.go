package spec_test

import (
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/spec"
)

// letters writes every token as some letters, one of them as half a code point.
type letters struct{ held string }

var pieces = []string{"a", "bc", "d", "ef", "g", "hi", "j", "é", "k", "l", "mn", "o", "p", "q", "r", "st"}

func (l *letters) Push(t model.Token) string {
	out := l.held + pieces[t]
	l.held = ""
	if t == 7 { // held until the next
		l.held, out = out, ""
	}
	return out
}

func (l *letters) Flush() string { out := l.held; l.held = ""; return out }

// A stop string is found wherever it stands, in a chunk or across two; nothing
// of it is streamed; text and ids are cut together; only a possible beginning of
// one is held back.
func TestStopStrings(t *testing.T) {
	r := request(0, 60)
	r.Text = &letters{}
	plain, err := spec.Generate(t.Context(), setup("none"), r)
	check(t, err)
	eachDrafter(t, func(t *testing.T, s spec.Setup, k int) {
		for from := 0; from < len(plain.Text)-6; from += 3 {
			for _, n := range []int{1, 2, 5} {
				stop := plain.Text[from : from+n]
				want := plain.Text[:strings.Index(plain.Text, stop)]
				checkStop(t, s, k, stop, want)
			}
		}
	})
}

func checkStop(t *testing.T, s spec.Setup, k int, stop, want string) {
	t.Helper()
	r := request(k, 60)
	r.Text, r.Stop = &letters{}, []string{"never this", stop}
	var text strings.Builder
	var ids []model.Token
	r.Emit = func(c spec.Emission) error {
		text.WriteString(c.Text)
		ids = append(ids, c.Tokens...)
		return nil
	}
	got, err := spec.Generate(t.Context(), s, r)
	check(t, err)
	if got.Text != want || text.String() != want || got.Finish != spec.FinishStop {
		t.Fatalf("stop %q: %q, streamed %q, %s; want %q", stop, got.Text, text.String(), got.Finish, want)
	}
	if !slices.Equal(ids, got.Tokens) || emitted(got.Rounds) != len(got.Tokens) {
		t.Fatalf("stop %q: ids %v, streamed %v, %d in rounds", stop, got.Tokens, ids, emitted(got.Rounds))
	}
	whole := &letters{}
	spelled := ""
	for _, x := range got.Tokens {
		spelled += whole.Push(x)
	}
	if !strings.HasPrefix(spelled+whole.Flush(), want) {
		t.Fatalf("stop %q: ids spell %q, text %q", stop, spelled, want)
	}
	for _, round := range got.Rounds {
		if round.Accepted > round.Judged || round.Judged > round.Drafted || round.Accepted < 0 || round.Next < 0 {
			t.Fatalf("round %+v", round)
		}
	}
}

// What cannot begin a stop string is not held back.
func TestOnlyAPrefixIsHeld(t *testing.T) {
	r := request(0, 30)
	r.Text, r.Stop = &letters{}, []string{"zz"}
	var said, most int
	r.Emit = func(c spec.Emission) error {
		said += len(c.Tokens)
		most = max(most, len(c.Tokens))
		return nil
	}
	_, err := spec.Generate(t.Context(), setup("none"), r)
	check(t, err)
	if said != 30 || most > 2 { // half a code point waits for its other half
		t.Errorf("%d tokens streamed, up to %d at once, want 30, up to 2 at once", said, most)
	}
}
