package foretoken

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/faults.md anew")

// A fault is a plausible slip in one place, and the test that goes red with it.
type fault struct {
	says      string
	file      string
	old, new  string // old stands in the file once
	pkg, test string
}

// faults are planted one by one by `make faults`. docs/faults.md is made of them.
var faults = []fault{
	{"an end of sequence inside an accepted path is left out of the facts", "spec/taken.go", "path = path[:i+1]", "path = path[:i]", "./spec", "TestEndInsideAnAcceptedPath"},
	{"what a stop string cut off still counts as judged", "spec/ledger.go", "range e.levels[:kept]", "range e.levels", "./spec", "TestStopCutsFacts"},
	{"what a stop string cut off still counts as accepted", "spec/ledger.go", "r.Accepted, r.Next, r.Judged = min(kept, e.path),", "r.Accepted, r.Next, r.Judged = e.path,", "./spec", "TestStopCutsFacts"},
	{"rows of a run are paired with the control's whatever their repeat", "results/speedup.go", "k.Arm = \"\"", "k.Arm, k.Repeat = \"\", 0", "./results", "TestPairing"},
	{"rows of a run are paired with the control's whatever their seed", "results/speedup.go", "k.Arm = \"\"", "k.Arm, k.Seed = \"\", 0", "./results", "TestPairing"},
	{"the ends of an interval cut off only what lies above", "stat/resample.go", "sorted[cut], sorted[len(sorted)-1-cut]", "sorted[0], sorted[len(sorted)-1-cut]", "./stat", "TestResample"},
	{"a ratio whose interval holds 1 is not marked", "stat/format.go", "f.Ratio && !i.Resolved(1) &&", "f.Ratio && i.Resolved(1) &&", "./stat", "TestSpeedupFormat"},
	{"the table of bench decode pairs texts of different rounds", "experiments/bench/decode/text_table.go", "if b, ok := base[round]; ok {", "if b, ok := base[0]; ok {", "./experiments/bench/decode", "TestKeptRun"},
	{"what was cut short stays in front of what a resumed run writes", "results/jsonl/file.go", "f.file.Truncate(int64(whole))", "f.file.Truncate(int64(len(data)))", "./results/jsonl", "TestFile"},
	{"a bench writes into the folder of one that runs", "results/jsonl/file.go", "if err := lock(f); err != nil {", "if err := lock(f); err == os.ErrClosed {", "./experiments/bench/decode", "TestResume"},
	{"a figure of the list is another one's", "results/definitions.go", "stat.Interval { return a.OfDrafted }", "stat.Interval { return a.Acceptance }", "./results", "TestKeptRuns"},
	{"the acceptance picture shows another arm than it says", "results/plot/series.go", "s.arms[len(s.arms)-1]", "s.arms[0]", "./results/plot", "TestPicturesAreTheirData"},
	{"pictures join arms that differ in their constraint", "results/identity.go", "return Series{a.Drafter, a.Verifier, a.Temperature, a.Constraint}", "return Series{a.Drafter, a.Verifier, a.Temperature, \"\"}", "./results/plot", "TestPicturesAreTheirData"},
	{"a picture's title is cut off at its panel", "results/plot/chart.go", "wrapped(p.title, panelWidth-vg.Points(8))", "p.title", "./results/plot", "TestTextsFit"},
	{"a node of a tree is forwarded after its parent's sibling", "draft/proposal.go", "b.Parents = append(b.Parents, parent+1)", "b.Parents = append(b.Parents, max(parent, 0))", "./spec", "TestTreesArePlain"},
	{"a node of a tree is judged by the row before its own", "spec/posterior.go", "p.builder.SamplingDistribution(p.logits, node+1, at)", "p.builder.SamplingDistribution(p.logits, max(node, 0), at)", "./spec", "TestTreesArePlain"},
	{"a round keeps the wrong nodes of a tree in the cache", "spec/taken.go", "rows = append(rows, node+1)", "rows = append(rows, node)", "./spec", "TestTreesArePlain"},
	{"a cursor remembers tokens whose forward failed", "model/cursor.go", "	if err == nil {\n		c.held", "	{\n		c.held", "./model", "TestCursorForgetsWhatFailed"},
	{"a cursor does not trim its session", "model/cursor.go", "if n < c.Len() {", "if n < 0 {", "./draft", "TestWarmIsFresh"},
	{"a successor position forgets how much was generated", "sampler/constraint.go", "append(at.History, t), at.Generated+1", "append(at.History, t), at.Generated", "./sampler", "TestNextPosition"},
	{"a refused token is replaced from p, not from the residual", "verify/leviathan.go", "sampler.DrawResidual(p, d.Dists[i], rng.Target(i))", "p.Draw(rng.Target(i))", "./spec", "TestLaw"},
	{"the coin ignores q", "verify/leviathan.go", "float64(coin.Float32())*qx < px", "float64(coin.Float32()) < px", "./spec", "TestLaw"},
	{"siblings after the one that stands count as judged", "verify/match.go", "children[:i+1]...", "children...", "./verify", "TestJudged"},
	{"a weighted residual forgets its weight", "sampler/named.go", "w*x - other.prob(t)", "x - other.prob(t)", "./sampler", "TestWeightedResidual"},
	{"a wrapper hides what it wraps", "model/as.go", "v = w.Unwrap()", "_, v = w, nil", "./model", "TestAs"},
	{"a step can be settled twice", "spec/step.go", "	g.step = nil\n	s.round.Verify", "	s.round.Verify", "./spec", "TestStepsAreUsedOnce"},
	{"a length policy may draft past the request's K", "spec/generation.go", "max(0, min(k, g.setup.Lengths.Length(k, g.ledger.judged)))", "g.setup.Lengths.Length(k, g.ledger.judged)", "./spec", "TestLengthPolicy"},
	{"a round that fails loses the drafts that stood", "spec/step.go", "g.take(s.proposal, v.Path, nil)", "g.take(s.proposal, nil, nil)", "./spec", "TestFailureKeepsWhatStood"},
	{"a draft model is fed a word that it lacks", "draft/model.go", "return int(t) >= d.words", "return int(t) > d.words+1000", "./spec", "TestDraftWithFewerWords"},
	{"a run is taken up after a file of its model has changed", "experiments/header.go", "sum != now.Files[name]", "sum == \"\"", "./experiments", "TestResumeNamesTheFile"},
	{"a config's text is written without quotes where it needs them", "experiments/written.go", "	if plainWord.MatchString(s) {", "	if !strings.ContainsAny(s, \":#\") {", "./experiments", "TestConfigRoundTrip"},
	{"a file's hash is remembered whatever its time", "model/load/hash_cache.go", " && old.Time == now.Time", "", "./model/load", "TestHashesAreRemembered"},
	{"rope_parameters come before rope_scaling", "model/checkpoint/rope_json.go", "if s == nil || len(s.kv) == 0 {", "if f.object(\"rope_parameters\") != nil {", "./model/ref", "TestConfigs"},
	{"an original context beside rope_scaling is not read", "model/checkpoint/rope_json.go", "original = or(f, \"original_max_position_embeddings\", original)", "_ = f", "./model/ref", "TestConfigs"},
	{"queries and keys are not multiplied by rope's attention factor", "model/checkpoint/rope.go", "return c.RopeScaling.Attention", "return 1", "./model/ref", "TestConfigs"},
	{"what is cached keeps the angles of a shorter text", "model/ref/rope.go", "	s.n = 0\n", "	again = nil\n", "./model/ref", "TestChangingRope"},
	{"a window is off where its size is left out", "model/checkpoint/window_json.go", "w, on = defaultWindow, true", "w, on = defaultWindow, false", "./model/checkpoint", "TestConfig"},
	{"a key of a config that is not known is passed over", "model/checkpoint/keys.go", "held, harmless[key],", "held, key != \"\",", "./model/checkpoint", "TestConfig"},
	{"a tied model's own head is left out without a word", "model/checkpoint/folder.go", "ok && !h.same(e)", "ok && h.same(e)", "./model/checkpoint", "TestHead"},
	{"a GGUF's factor without a type is no scaling", "model/checkpoint/gguf_rope.go", "	case \"\", \"linear\":\n", "	case \"\":\n		return nil\n	case \"linear\":\n", "./model/checkpoint", "TestGGUFRope"},
	{"a split's number is not held to its name", "model/checkpoint/gguf_split.go", "got != int64(i)", "got == nil", "./model/checkpoint", "TestBadSplits"},
	{"columns of 3, 5 and 6 bits begin at whole bytes", "model/ref/unpack.go", "bits>>n, held-uint(n)", "0, 0", "./model/ref", "TestPackedRows"},
	{"strict refuses the members that only `required` names", "sampler/jsonmask/strict.go", "f.properties, f.declared = properties, f.names", "f.properties = properties", "./sampler/jsonmask", "TestStrict"},
	{"strict overrules a schema's own additionalProperties", "sampler/jsonmask/strict.go", "!c.options.Strict || f.closed", "!c.options.Strict", "./sampler/jsonmask", "TestStrict"},
	{"strict drops listed values with undeclared members", "sampler/jsonmask/listed.go", "one.options.Strict, one.options.Bounds = false, Bounds{}", "_ = Bounds{}", "./sampler/jsonmask", "TestStrict"},
	{"a run of blanks may be one longer than its bound", "sampler/jsonmask/compile.go", "&space{int32(o.Blanks)}", "&space{int32(o.Blanks) + 1}", "./sampler/jsonmask", "TestBlanks"},
	{"a bound cuts what a schema bounds itself", "sampler/jsonmask/bounds.go", "most > 0 && high < 0 && len(patterns) == 0", "most > 0 && len(patterns) == 0", "./sampler/jsonmask", "TestBounds"},
	{"a bound on text cuts declared names", "sampler/jsonmask/members.go", "free.options = Options{}", "_ = free", "./sampler/jsonmask", "TestBounds"},
	{"a number's digits after its point count as those before it", "sampler/jsonmask/bounded.go", "point < 0 && len(digits) > x.digits", "len(digits) > x.digits", "./sampler/jsonmask", "TestBounds"},
	{"an error without a token names biases that the constraint had ruled out", "sampler/no_token.go", "isInf(x.Value, -1) && mask.Has(x.Token)", "isInf(x.Value, -1)", "./sampler", "TestNoTokenNames"},
}

// TestFaultsAreListed holds docs/faults.md to the list, and the list to the code: what it
// replaces stands there once.
func TestFaultsAreListed(t *testing.T) {
	const page = "docs/faults.md"
	if *update {
		if err := os.WriteFile(page, []byte(faultPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(page); err != nil || string(data) != faultPage() {
		t.Errorf("%s is not what the list says (%v): go test . -run TestFaultsAreListed -args -update writes it", page, err)
	}
	for _, f := range faults {
		data, err := os.ReadFile(f.file)
		if n := strings.Count(string(data), f.old); err != nil || n != 1 {
			t.Errorf("%s: %q stands %d times in %s, want once (%v)", f.says, f.old, n, f.file, err)
		}
	}
}

func faultPage() string {
	var b strings.Builder
	b.WriteString("# Faults that a test sees\n\n" +
		"Each line is a slip that looks right. `make faults` plants them one by one in a copy of the file and\n" +
		"runs the test, which has to fail. `faults_test.go` holds the list.\n\n" +
		"| fault | planted in | seen by |\n|---|---|---|\n")
	for _, f := range faults {
		fmt.Fprintf(&b, "| %s | `%s` | `%s` in `%s` |\n", f.says, f.file, f.test, strings.TrimPrefix(f.pkg, "./"))
	}
	return b.String()
}
