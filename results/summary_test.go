package results

import (
	"math"
	"strings"
	"testing"
	"time"

	"foretoken/model"
	"foretoken/spec"
	"foretoken/stat"
	"foretoken/verify"
)

var (
	plainArm = Arm{ID: "none/t=0", Drafter: "none", Verifier: "leviathan"}
	draftArm = Arm{ID: "ngram/k=2/leviathan/t=0", Drafter: "ngram", K: 2, Verifier: "leviathan"}
)

// round is a round whose draft takes 2 ms a token, whose verify takes 10 ms and 2
// for each row past the first, and whose rest takes 1 ms.
func round(drafted, judged, accepted, next int) spec.Round {
	kind := verify.Bonus
	if judged > accepted {
		kind = verify.Correction
	}
	return spec.Round{Drafted: drafted, Judged: judged, Accepted: accepted, Next: next, Kind: kind,
		Draft: time.Duration(2*drafted) * time.Millisecond, Verify: time.Duration(10+2*drafted) * time.Millisecond, Rest: time.Millisecond}
}

func row(arm Arm, prompt string, rounds ...spec.Round) Row {
	r := Row{Arm: arm.ID, Prompt: prompt, Domain: strings.TrimRight(prompt, "0123456789")}
	var res spec.Result
	for _, x := range rounds {
		for range x.Emitted() {
			res.Tokens = append(res.Tokens, model.Token(len(res.Tokens)))
		}
	}
	res.Rounds, res.Finish = rounds, spec.FinishLength
	r.Fill(res)
	r.Facts.Wall = r.Decode() + 5*time.Millisecond
	return r
}

// six prompts, each with six tokens: the arm drafts 2 in three rounds.
func sixPrompts() *Run {
	run := &Run{Header: Header{Name: "test", Arms: []Arm{plainArm, draftArm}, Rows: 12}}
	for i := range 6 {
		name := []string{"chat", "code"}[i%2] + string(rune('0'+i))
		one := round(0, 0, 0, 1)
		run.Rows = append(run.Rows,
			row(plainArm, name, one, one, one, one, one, one),
			row(draftArm, name, round(2, 2, 2, 1), round(2, 1, 0, 1), round(2, 2, 1, 1)))
	}
	return run
}

// The control of an arm is the one at its temperature.
func TestControlOf(t *testing.T) {
	arms := []Arm{{ID: "cold"}, {ID: "hot", Temperature: 1}, {ID: "x", K: 2, Temperature: 1}, {ID: "y", K: 2}}
	for i, want := range []string{"cold", "hot", "hot", "cold"} {
		if got := controlOf(arms, arms[i]); got != want {
			t.Errorf("control of %s is %q, want %q", arms[i].ID, got, want)
		}
	}
}

// Every figure of six equal prompts, by hand.
func TestSummary(t *testing.T) {
	s := Summarise(sixPrompts())
	a := s.Arms[1]
	near(t, "acceptance 3/5", a.Acceptance.Value, .6, 1e-12)
	near(t, "of drafted 3/6", a.OfDrafted.Value, .5, 1e-12)
	near(t, "tokens per round 6/3", a.PerRound.Value, 2, 1e-12)
	near(t, "position 1: 2/3", a.Positions[0].Estimate.Value, 2./3, 1e-12)
	near(t, "position 2: 1/2", a.Positions[1].Estimate.Value, .5, 1e-12)
	if a.Positions[0].Judged != 18 || a.Positions[1].Judged != 12 {
		t.Errorf("judged %d and %d, want 18 and 12: what follows a rejection was never judged", a.Positions[0].Judged, a.Positions[1].Judged)
	}
	near(t, "c", a.Costs.Draft, .2, 1e-12)
	near(t, "t(3)/t(1)", a.Costs.At(3), 1.4, 1e-12)
	near(t, "speed-up 66/57", a.Speedup.Value, 66./57, 1e-12)
	near(t, "interval of equal prompts", a.Speedup.High-a.Speedup.Low, 0, 1e-9)
	near(t, "expected", a.Expected, (1+2./3+1./3)/(.4+1.4), 1e-12)
	near(t, "Leviathan's", a.Leviathan, (1+.6+.36)/1.4, 1e-12)
	near(t, "draft share", a.Split.Draft, 12./57, 1e-12)
	near(t, "verify share", a.Split.Verify, 42./57, 1e-12)
	near(t, "outside share", a.Split.Outside, 5./62, 1e-12)
	near(t, "tokens per second", a.Rate, 6/.057, 1e-9)
	if c := CountParity(a.Parity, ""); c.Equal != 6 || c.Paired() != 6 {
		t.Errorf("parity %+v, want 6 of 6", c)
	}
	if len(a.Domains) != 2 || a.Domains[0].Prompts != 3 || a.Domains[0].Acceptance.Bounded() {
		t.Errorf("domains %+v, want two of 3 prompts without intervals", a.Domains)
	}
	if got := stat.Speedup.Interval(a.Domains[0].Speedup); got != "1.16x ~ (n < 5)" {
		t.Errorf("speed-up of 3 prompts prints %q, want ~", got)
	}
}

// The first round of a request, whose caches are cold, is in no cost.
func TestCostsSkipFirstRound(t *testing.T) {
	slow := round(0, 0, 0, 1)
	slow.Verify = time.Second
	one := round(0, 0, 0, 1)
	c := MeasureCosts(nil, []Row{row(plainArm, "a", slow, one, one), row(plainArm, "b", slow)})
	if c.One != 10*time.Millisecond {
		t.Errorf("t(1) = %v, want 10ms", c.One)
	}
}

// A speed-up pairs prompts: the same prompts at another speed do not mix, and one
// without a partner is out.
func TestSpeedupIsPaired(t *testing.T) {
	run := sixPrompts()
	var arm, control []Row
	for _, r := range run.Rows {
		if r.Arm == plainArm.ID {
			control = append(control, r)
		} else {
			arm = append(arm, r)
		}
	}
	lone := row(draftArm, "chat9", round(2, 2, 2, 1))
	lone.Rounds[0].Verify = time.Hour
	if e := Speedup(append(arm, lone), control); e.N != 6 || math.Abs(e.Value-66./57) > 1e-12 {
		t.Errorf("%+v, want 66/57 of 6", e)
	}
	arm[0].Tokens = arm[0].Tokens[:3] // half the tokens in the time: half as fast
	if e := Speedup(arm, control); math.Abs(e.Value-(5.5*66)/(6*57)) > 1e-12 {
		t.Errorf("%v, want the control's time for as many tokens", e.Value)
	}
}

// A round emits a token at least: no interval of tokens per round goes below.
func TestTokensPerRoundFloor(t *testing.T) {
	one := round(2, 1, 0, 1)
	var rows []Row
	for i := range 6 {
		rounds := []spec.Round{one}
		if i == 0 {
			rounds = []spec.Round{round(2, 2, 2, 1), one, one}
		}
		rows = append(rows, row(draftArm, "chat"+string(rune('0'+i)), rounds...))
	}
	if e := TokensPerRound(rows); e.Low != 1 || !(e.Value > 1 && e.High > e.Value) {
		t.Errorf("%+v, want an interval from 1", e)
	}
	cut := round(2, 2, 2, 1)
	cut.Accepted, cut.Judged, cut.Next = 0, 0, 0
	for i := range rows {
		rows[i] = row(draftArm, rows[i].Prompt, one, cut)
	}
	if e := TokensPerRound(rows); e.Value != .5 || e.Low != .5 {
		t.Errorf("%+v, want .5: a stop string cut off all of a round", e)
	}
	if e := TokensPerRound(rows[:2]); e.Bounded() {
		t.Errorf("%+v, want no interval of 2 prompts", e)
	}
}

func TestParity(t *testing.T) {
	run := sixPrompts()
	control, arm := run.Rows[0], run.Rows[1]
	other := arm
	other.Tokens = append([]model.Token(nil), arm.Tokens...)
	other.Tokens[4] = 99
	short := arm
	short.Tokens = arm.Tokens[:5]
	hot := Arm{ID: "x", K: 2, Verifier: "leviathan", Temperature: 1}
	match := Arm{ID: "x", K: 2, Verifier: "match", Temperature: 1}
	for _, c := range []struct {
		arm     Arm
		row     Row
		verdict Verdict
		first   int
	}{
		{draftArm, arm, Equal, -1}, {draftArm, other, Differs, 4}, {draftArm, short, Differs, 5},
		{hot, other, LawOnly, 4}, {match, other, Differs, 4}, {hot, arm, Equal, -1},
	} {
		p := Parities(c.arm, []Row{c.row}, []Row{control})[0]
		if p.Verdict != c.verdict || p.First != c.first {
			t.Errorf("%s at %v: %s at %d, want %s at %d", c.arm.Verifier, c.arm.Temperature, p.Verdict, p.First, c.verdict, c.first)
		}
	}
	if p := Parities(draftArm, []Row{arm}, nil)[0]; p.Verdict != Unpaired {
		t.Errorf("without a control: %s", p.Verdict)
	}
}

func TestCyclicShare(t *testing.T) {
	cycle := []model.Token{1, 2, 3, 4, 9, 8, 7, 9, 8, 7, 9, 8, 7, 9, 8, 7, 5, 6, 0, 11}
	near(t, "cycle of 12 in 20", CyclicShare(cycle), 12./20, 1e-12)
	near(t, "no cycle", CyclicShare([]model.Token{1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 0, 0)
	near(t, "one token over and over", CyclicShare(make([]model.Token, 30)), 1, 0)
}

// A text is whole where the model ended it, and not while it was thinking.
func TestWhole(t *testing.T) {
	rows := []Row{{Finish: spec.FinishEOS}, {Finish: spec.FinishEOS, Reasoning: 2, Unanswered: true}, {Finish: spec.FinishLength}, {Finish: spec.FinishEOS, Reasoning: 3}}
	if c := constraintOf(rows); c.Whole != 2 || c.Reasoning != 5 {
		t.Errorf("%d whole, %d tokens of reasoning, want 2 and 5", c.Whole, c.Reasoning)
	}
}

// Rows are paired with the control's of the same prompt, seed and repeat: where repeats are
// of different speed, a pairing that forgets one says another speed-up and another parity.
func TestPairing(t *testing.T) {
	var arm, control []Row
	for i := range 6 {
		for seed := range uint64(2) {
			for repeat := range 3 {
				slow := 1 + 2*repeat + int(seed)
				at := func(a Arm, rounds ...spec.Round) Row {
					r := row(a, "p"+string(rune('0'+i)), rounds...)
					r.Seed, r.Repeat = seed, repeat
					for j := range r.Rounds {
						r.Rounds[j].Verify *= time.Duration(slow)
						r.Rounds[j].Draft, r.Rounds[j].Rest = 0, 0
					}
					r.Tokens[0] = model.Token(100*int(seed) + repeat)
					return r
				}
				one := round(0, 0, 0, 1)
				control = append(control, at(plainArm, one, one, one))
				arm = append(arm, at(draftArm, round(2, 2, 2, 1)))
			}
		}
	}
	want := 30. / 14 // three verifies of one row, one of three rows, whatever the pair's speed
	if got := Speedup(arm, control); math.Abs(got.Value-want) > 1e-9 {
		t.Errorf("speed-up %v, want %v", got.Value, want)
	}
	if n := CountParity(Parities(draftArm, arm, control), ""); n.Equal != len(arm) {
		t.Errorf("parity %v, want all of %d", n, len(arm))
	}
	// The pairs decide, not the sums: of the repeats, the slow ones of the arm alone.
	var slowest []Row
	for _, r := range arm {
		if r.Repeat == 2 {
			slowest = append(slowest, r)
		}
	}
	if got := Speedup(slowest, control); math.Abs(got.Value-want) > 1e-9 {
		t.Errorf("speed-up of the last repeat %v, want %v", got.Value, want)
	}
}
