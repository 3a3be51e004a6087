package spec_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// An end of sequence inside a path that is accepted whole is the last token of the result,
// and of the facts: what follows it was drafted, and neither accepted nor judged.
func TestEndInsideAnAcceptedPath(t *testing.T) {
	r := selfDraft()
	r.cfg = config(0, false)
	whole, _ := r.run(t, 0, 40)
	seen := 0
	for i, eos := range whole[:30] {
		if slices.Index(whole, eos) != i {
			continue
		}
		r.stop = []model.Token{eos}
		got, rounds := r.run(t, 6, 40)
		if !slices.Equal(got, whole[:i+1]) {
			t.Errorf("end at %d: %v, want %v", i, got, whole[:i+1])
		}
		last := rounds[len(rounds)-1]
		if want := i%7 + 1; want < 7 { // rounds of seven tokens, the end among the drafted ones of the last
			seen++
			if last.Accepted != want || last.Judged != want || last.Next != 0 || last.Drafted != 6 {
				t.Errorf("end at %d: %+v, want %d accepted and judged, none of the target's own", i, last, want)
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d texts end among drafted tokens, want more", seen)
	}
}

// A stop string takes its tokens out of the facts of the rounds that it cuts, wherever
// they lie: what was cut was neither accepted nor judged. Nothing is counted and then
// taken back: the rounds that are handed on are those of the result.
func TestStopCutsFacts(t *testing.T) {
	r := request(0, 60)
	r.Text = &letters{}
	plain, err := spec.Generate(t.Context(), setup("none"), r)
	check(t, err)
	cut := 0
	for _, name := range []string{"model", "layerskip", "eagle", "ngram"} {
		for from := 0; from < len(plain.Text)-8; from++ {
			r := request(6, 60)
			r.Text, r.Stop = &letters{}, []string{plain.Text[from : from+5]}
			var handed []spec.Round
			r.Emit = func(e spec.Emission) error { handed = append(handed, e.Rounds...); return nil }
			s, spy := setup(name), &recording{}
			s.Recorder = spy
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if err := spy.holds(got.Rounds, len(got.Tokens)); err != nil {
				t.Fatalf("%s, stop %q: %v", name, r.Stop, err)
			}
			for i, round := range handed {
				if round != got.Rounds[i] {
					t.Fatalf("%s, stop %q: round %d was %+v when it was handed on, and is %+v", name, r.Stop, i, round, got.Rounds[i])
				}
			}
			if last := spy.decisions[len(spy.decisions)-1]; len(got.Tokens) < last.At {
				cut++
			}
		}
	}
	if cut < 20 {
		t.Errorf("%d stop strings reach into an earlier round, want more", cut)
	}
}

// A control token that a stop string names ends the text, and is not part of it.
func TestStopTokens(t *testing.T) {
	plain, err := spec.Generate(t.Context(), setup("none"), request(0, 40))
	check(t, err)
	eachDrafter(t, func(t *testing.T, s spec.Setup, k int) {
		for i, stop := range plain.Tokens[:8] {
			if slices.Index(plain.Tokens, stop) != i {
				continue
			}
			r := request(k, 40)
			r.StopTokens, r.Text = []model.Token{stop}, &letters{}
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if !slices.Equal(got.Tokens, plain.Tokens[:i]) || emitted(got.Rounds) != i || got.Finish != spec.FinishStop {
				t.Fatalf("stop at %d: %v, %d in rounds, %s; want %v", stop, got.Tokens, emitted(got.Rounds), got.Finish, plain.Tokens[:i])
			}
		}
	})
}

// Steps are used once, in turn: a misuse is an error and changes nothing.
func TestStepsAreUsedOnce(t *testing.T) {
	r := selfDraft()
	r.cfg = config(0, false)
	want, _ := r.run(t, 3, 12)
	g := r.open(t, 3, 12)
	if _, err := (&spec.Step{}).Settle(nil); err == nil {
		t.Error("a step that no Begin opened is settled")
	}
	for !g.Done() {
		s, err := g.Begin(t.Context())
		check(t, err)
		if _, err := g.Begin(t.Context()); err == nil || !strings.Contains(err.Error(), "another is open") {
			t.Errorf("a second step is begun: %v", err)
		}
		l, err := s.Forward()
		check(t, err)
		_, err = s.Settle(l)
		check(t, err)
		if _, err := s.Settle(l); err == nil || !strings.Contains(err.Error(), "settled once") {
			t.Errorf("a step is settled twice: %v", err)
		}
	}
	if _, err := g.Begin(t.Context()); !errors.Is(err, spec.ErrDone) {
		t.Errorf("a step after the end: %v", err)
	}
	if !slices.Equal(g.Tokens(), want) {
		t.Errorf("%v, want %v", g.Tokens(), want)
	}
}

// A failure in a round keeps what the round had accepted, and says so.
func TestFailureKeepsWhatStood(t *testing.T) {
	for _, stop := range [][]string{nil, {"never this"}} {
		r := selfDraft()
		r.cfg = config(0, false)
		s, q := r.parts(t, 4, 40)
		s.Rule = breaking{at: 17}
		q.Text, q.Stop = &letters{}, stop
		whole := q
		whole.Text = &letters{}
		clean := s
		clean.Rule = verify.Leviathan{}
		want, err := spec.Generate(t.Context(), clean, whole)
		check(t, err)
		var streamed []model.Token
		q.Emit = func(e spec.Emission) error { streamed = append(streamed, e.Tokens...); return nil }
		got, err := spec.Generate(t.Context(), s, q)
		if !errors.Is(err, errBroken) {
			t.Fatalf("%v, want the rule's own error", err)
		}
		if len(got.Tokens) != 17 || !slices.Equal(got.Tokens, want.Tokens[:17]) || !slices.Equal(streamed, got.Tokens) {
			t.Errorf("%v, streamed %v, want the 17 tokens before the failure", got.Tokens, streamed)
		}
		if got.Finish != spec.FinishFailed || emitted(got.Rounds) != 17 || !strings.HasPrefix(want.Text, got.Text) {
			t.Errorf("%s, %d in rounds, %q", got.Finish, emitted(got.Rounds), got.Text)
		}
	}
}

var errBroken = errors.New("the rule broke")

// breaking fails to judge generated position at.
type breaking struct {
	verify.Leviathan
	at int
}

func (b breaking) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return b.Leviathan.Verify(d, func(node int) (sampler.Distribution, error) {
		p, err := post(node)
		if err == nil && rng.Target(len(d.Path(node))) == sampler.NewStream(1, sampler.TargetStream).At(b.at) {
			err = errBroken
		}
		return p, err
	}, rng)
}
