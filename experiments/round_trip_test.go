package experiments

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
)

// texts that encoders have bent: control characters, exponents, words of YAML.
var awkward = []string{"\n", "\n\n", "\t", "\r", "a\rb", "a\nb\n", " x", "x ", "", "~", "null", "true", "no", "1", "1e9", "1e-05", "010", "0x10", ".inf", "-", "- a", "a: b", "a #b", "#", "'", "\"", "\\", "\\n",
	"{", "[a]", "&a", "*a", "!t", "%", "@", "`", "|", ">", "?", "\x00", "\x07", "\x1b[0m", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029", "\ufeff", "\ufffd", "é", "日本", "😀", "</s>", "<|im_end|>", "&amp;", "a\u0301", "...", "---", "=", "<<", "12:30", "2001-01-01", "1_000", "+1", "yes", "On"}

func anyText(r *rand.Rand) string {
	s := awkward[r.IntN(len(awkward))]
	for range r.IntN(3) {
		s += awkward[r.IntN(len(awkward))] + string(rune(1+r.IntN(0x2fff)))
	}
	return strings.ToValidUTF8(s, "?")
}

func anyFloat(r *rand.Rand) float64 {
	return []float64{0, 1, .8, 1e-9, 1e9, 1e-30, 3.4e38, .1, 1. / 3, math.Pow(10, 20*r.Float64()-10), 123456789.123}[r.IntN(11)]
}

// some is a list of at most n values that differ, nil where there are none.
func some[T comparable](r *rand.Rand, n int, make func() T) []T {
	var out []T
	for range r.IntN(n + 1) {
		x := make()
		seen := false
		for _, y := range out {
			seen = seen || x == y
		}
		if !seen {
			out = append(out, x)
		}
	}
	return out
}

func anyDrafter(r *rand.Rand) Drafter {
	names := draftNames()
	d := Drafter{Name: names[r.IntN(len(names))], K: some(r, 3, func() int { return 1 + r.IntN(16) })}
	if r.IntN(2) == 0 {
		d.Label = strings.NewReplacer("/", "", "\n", "", "\t", "").Replace(anyText(r))
	}
	d.Options, _ = draft.ByName(d.Name)
	for _, o := range draft.Options(d.Options) {
		v := o.Value(d.Options)
		if !o.Required && r.IntN(2) == 0 {
			continue
		}
		switch v.Interface().(type) {
		case int:
			v.SetInt(int64(1 + r.IntN(9)))
		case bool:
			v.SetBool(true)
		default:
			name, _ := reference(v)
			name.SetString("x" + anyText(r))
		}
	}
	return d
}

// anyConfig has a value of every key, whether it makes sense or not.
func anyConfig(r *rand.Rand) Config {
	c := defaults()
	text := func() string { return anyText(r) }
	c.Name, c.Target = "x"+text(), "x"+text()
	for range r.IntN(4) {
		c.Drafters = append(c.Drafters, anyDrafter(r))
	}
	c.K = some(r, 4, func() int { return r.IntN(1 << 40) })
	c.Verifiers, c.Stop, c.Constraints = some(r, 2, text), some(r, 5, text), some(r, 3, text)
	c.Seeds, c.Temperatures = some(r, 3, r.Uint64), some(r, 3, func() float64 { return anyFloat(r) })
	c.Stochastic, c.IgnoreEOS = r.IntN(2) == 0, r.IntN(2) == 0
	c.Repeats, c.MaxTokens, c.WarmUp, c.ThinkingBudget, c.Logprobs = r.IntN(1000)-500, r.IntN(1000)-1, r.IntN(1000), r.IntN(9)-1, r.IntN(9)-1
	c.Sampler = sampler.Config{Temperature: float32(anyFloat(r)), TopP: float32(anyFloat(r)), MinP: float32(anyFloat(r)), TopK: r.IntN(1 << 30), Order: sampler.Order(text()),
		Penalties: sampler.Penalties{Repetition: float32(anyFloat(r)), Presence: -float32(anyFloat(r)), Frequency: float32(anyFloat(r)), Window: r.IntN(99)}}
	if n := r.IntN(4); n > 0 {
		c.Sampler.LogitBias = map[model.Token]float32{}
		for range n {
			c.Sampler.LogitBias[model.Token(r.IntN(1<<20))] = []float32{float32(math.Inf(-1)), -1e-9, 5, float32(anyFloat(r))}[r.IntN(4)]
		}
	}
	for range r.IntN(3) {
		p := PromptSource{File: text(), Domains: some(r, 2, text)}
		if r.IntN(2) == 0 {
			p.Limit = 1 + r.IntN(99)
		}
		c.Prompts = append(c.Prompts, p)
	}
	return c
}

// Any config comes back the same from what is printed and from a run's header, with the
// header's own encoding around it.
func TestConfigRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 10000 {
		c := anyConfig(r)
		header, err := json.MarshalIndent(results.Header{Config: c.JSON()}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		var h results.Header
		if err := json.Unmarshal(header, &h); err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, h.Config); err != nil {
			t.Fatal(err)
		}
		for form, text := range map[string]string{"YAML": c.YAML(), "JSON": string(c.JSON()), "header": string(h.Config), "compact": compact.String()} {
			back := Config{}
			if _, err := Decode("x.yaml", []byte(text), &back); err != nil {
				t.Fatalf("config %d as %s: %v\n%s", i, form, err, text)
			}
			if !reflect.DeepEqual(back, c) {
				t.Fatalf("config %d as %s:\n%s\nis\n%s\nwant\n%s", i, form, text, back.YAML(), c.YAML())
			}
		}
	}
}

// A config without its defaults is the same config.
func TestChangedIsTheConfig(t *testing.T) {
	for _, text := range []string{small, small + "temperatures: [0, 0.5]\nstochastic: true\nsampler: {top_k: 3, penalties: {window: 5}}\nstop: [\"\\n\\n\"]\n", Explained, Embedded,
		small + "sampler: {temperature: 0.7, logit_bias: {5: -.inf}}\nstochastic: true\n"} {
		c, err := Parse("try.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse("try.yaml", []byte(c.Changed()))
		if err != nil || !reflect.DeepEqual(back, c) {
			t.Errorf("%v: %s is %+v, want %+v", err, c.Changed(), back, c)
		}
		if strings.Contains(c.Changed(), "warm_up") || strings.Contains(c.Changed(), "repeats") {
			t.Errorf("a default is printed:\n%s", c.Changed())
		}
	}
}

// Numbers are read as people write them, exactly or not at all.
func TestNumbers(t *testing.T) {
	type all struct {
		F float64 `yaml:"f"`
		G float32 `yaml:"g"`
		N int     `yaml:"n"`
		U uint64  `yaml:"u"`
	}
	for text, want := range map[string]all{
		"f: 1e-9": {F: 1e-9}, "f: 1e9": {F: 1e9}, "f: 1E+5": {F: 1e5}, "f: -.5": {F: -.5}, "f: 5.": {F: 5}, "f: -.inf": {F: math.Inf(-1)}, "f: 3": {F: 3},
		"n: 1e3": {N: 1000}, "n: 1.5e1": {N: 15}, "n: -7": {N: -7}, "n: 2.0": {N: 2}, "u: 18446744073709551615": {U: math.MaxUint64}, "u: 1e2": {U: 100}, "g: 1e-5": {G: 1e-5},
	} {
		var got all
		if _, err := Decode("x.yaml", []byte(text+"\n"), &got); err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"n: 010": "010 with a leading zero, want a whole number", "f: 007": "007 with a leading zero, want a number", "n: 1.5": "1.5, want a whole number", "n: 1e-1": "want a whole number",
		"n: 1e30": "want a whole number", "u: -1": "want a whole number", "f: 1e999": "want a number", "f: 1e-999": "want a number", "g: 1e-60": "want a number", "g: 1e40": "want a number",
		"n: 0x10": "want a whole number", "n: 0o7": "want a whole number", "n: 1_000": "want a whole number", "f: '1'": "want a number", "n: 9223372036854775808": "want a whole number",
		"f: 12:30": "want a number", "f: true": "want a number",
	} {
		var got all
		if _, err := Decode("x.yaml", []byte(text+"\n"), &got); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", text, got, err, want)
		}
	}
}
