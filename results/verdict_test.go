package results

import (
	"strings"
	"testing"
	"time"

	"foretoken/spec"
)

// shaped is a run of some prompts on two arms: each round of the drafting one drafts two,
// keeps kept of them, and takes a verify and a draft of given times; a plain one takes 10 ms.
func shaped(prompts, kept int, verify, draft time.Duration) *Run {
	run := &Run{Header: Header{Name: "test", Arms: []Arm{plainArm, draftArm}}}
	plain := spec.Round{Next: 1, Verify: 10 * time.Millisecond}
	drafted := spec.Round{Drafted: 2, Judged: min(kept+1, 2), Accepted: kept, Next: 1, Verify: verify, Draft: 2 * draft}
	for i := range prompts {
		name := "p" + string(rune('a'+i))
		var rounds, control []spec.Round
		for range 6 {
			rounds = append(rounds, drafted)
		}
		for range 6 * (kept + 1) {
			control = append(control, plain)
		}
		wobble := drafted // so that intervals have a width
		wobble.Verify += time.Duration(i) * time.Millisecond
		run.Rows = append(run.Rows, row(plainArm, name, control...), row(draftArm, name, append(rounds[1:], wobble)...))
	}
	return run
}

// A verdict is in words, says what it rests on, and is none where the data do not carry one.
func TestVerdict(t *testing.T) {
	for want, run := range map[string]*Run{
		"ngram K=2 is faster than plain decoding: 2.":                                 shaped(6, 2, 12*time.Millisecond, time.Millisecond/10),
		"Every token is plain decoding's in 6 of 6 requests.":                         shaped(6, 2, 12*time.Millisecond, time.Millisecond/10),
		"No verdict: ngram K=2 measures 2.":                                           shaped(4, 2, 12*time.Millisecond, time.Millisecond/10),
		"of 1 prompt; an interval wants at least 5":                                   shaped(1, 2, 12*time.Millisecond, 0),
		"No arm is faster than plain decoding here: the best, ngram K=2, measures 0.": shaped(6, 1, 19*time.Millisecond, 3*time.Millisecond),
		"a verify of 3 rows costs 1.90 steps, and a drafted token 0.30 of one. At this acceptance a draft would pay below 0.05 of a step": shaped(6, 1, 19*time.Millisecond, 3*time.Millisecond),
		"At this acceptance no draft pays, however cheap":                                 shaped(6, 0, 19*time.Millisecond, 3*time.Millisecond),
		"No arm is shown to be faster than plain decoding: the best, ngram K=2, measures": shaped(6, 1, 19500*time.Microsecond, 0),
	} {
		if got := Summarise(run).Verdict(); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	broken := shaped(6, 2, 12*time.Millisecond, 0)
	for i := range broken.Rows {
		if broken.Rows[i].Arm == draftArm.ID {
			broken.Rows[i].Tokens[3]++
		}
	}
	if got := Summarise(broken).Verdict(); !strings.Contains(got, "NOT plain decoding's in 6 of 6") {
		t.Errorf("%q hides that texts differ", got)
	}
	alone := shaped(6, 2, time.Millisecond, 0)
	alone.Rows = alone.Rows[:1]
	if got := Summarise(alone).Verdict(); got != "" {
		t.Errorf("plain decoding alone has the verdict %q", got)
	}
}
