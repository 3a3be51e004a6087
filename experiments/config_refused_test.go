package experiments

import (
	"errors"
	"strings"
	"testing"
)

// refusedConfigs are texts, and what the errors say.
var refusedConfigs = map[string]struct {
	text string
	want []string
}{
	"unknown key":        {small + "max_token: 5\n", []string{"try.yaml:7:1: max_token: unknown key, did you mean \"max_tokens\"?"}},
	"unknown inner key":  {"target: x\ndrafters:\n  - name: ngram\n    layer: 3\n", []string{"try.yaml:4:5: drafters[0].layer: unknown key, did you mean \"layers\"?"}},
	"key of elsewhere":   {small + "temperature: 1\n", []string{"did you mean \"temperatures\"?"}},
	"key of deeper":      {small + "repetition: 1\n", []string{"did you mean \"sampler.penalties.repetition\"?"}},
	"nonsense key":       {small + "zebra_crossing: 1\n", []string{"zebra_crossing: unknown key; there are name, target"}},
	"second document":    {small + "---\ntarget: y\n", []string{":7:1: a second document begins here, want one"}},
	"empty":              {"# nothing\n", []string{"try.yaml: is empty"}},
	"deep lists":         {small + "stop: " + strings.Repeat("[", 1<<18), []string{"try.yaml:7:107: nests deeper than 100"}},
	"deep keys":          {strings.Repeat("{a: ", 1<<17), []string{"try.yaml:1:401: nests deeper than 100"}},
	"deep dashes":        {strings.Repeat("- ", 1<<18), []string{"try.yaml:1:1: nests deeper than 100"}},
	"too long":           {small + "stop: [\"" + strings.Repeat("x", 1<<20) + "\"]\n", []string{"bytes, want at most 1048576"}},
	"a list":             {"- target\n", []string{"a list, want keys: name, target"}},
	"syntax":             {"target: [1, 2\n", []string{"try.yaml:1:", `in "target: [1, 2"`}},
	"duplicate key":      {small + "target: other\n", []string{"target"}},
	"word for number":    {small + "max_tokens: many\n", []string{`:7:13: max_tokens: "many", want a whole number`}},
	"fraction":           {small + "repeats: 1.5\n", []string{"repeats: 1.5, want a whole number"}},
	"number for text":    {"target: 5\n", []string{"target: 5, want text"}},
	"yes for true":       {small + "stochastic: yes\n", []string{`stochastic: "yes", want true or false`}},
	"no value":           {small + "stop:\n", []string{"stop: no value, want a list, each text"}},
	"keys for list":      {small + "seeds: {a: 1}\n", []string{"seeds[0]: a group of keys, want a whole number"}},
	"negative seed":      {small + "seeds: [-1]\n", []string{"seeds[0]: -1, want a whole number of at least 0"}},
	"anchor":             {small + "name: &a x\n", []string{"anchors and aliases are not read"}},
	"no target":          {"prompts: [{file: p}]\n", []string{"target: is missing"}},
	"no prompts":         {"target: x\n", []string{"prompts: is missing"}},
	"k without drafters": {"target: x\nprompts: [{file: p}]\nk: [2]\n", []string{":3:4: k: is of no use without drafters"}},
	"drafters without k": {"target: x\nprompts: [{file: p}]\ndrafters: [{name: ngram}]\n", []string{"k: is missing"}},
	"k of 0":             {strings.Replace(small, "[1, 4]", "[0, 4]", 1), []string{":4:5: k[0]: 0, want at least 1"}},
	"drafter's k of 0":   {strings.Replace(small, "k:", "    k: 0\nk:", 1), []string{"drafters[0].k[0]: 0, want at least 1"}},
	"k beyond use":       {strings.Replace(small, "[1, 4]", "[1, 9223372036854775807]", 1), []string{":4:8: k[1]: 9223372036854775807, want at most 1024"}},
	"repeats beyond use": {small + "repeats: 9223372036854775807\n", []string{"repeats: 9223372036854775807, want 1 to 10000"}},
	"warm-up beyond use": {small + "warm_up: 9223372036854775807\n", []string{"warm_up: 9223372036854775807, want 0 to 10000"}},
	"name of two lines":  {small + "name: \"a\\nb\"\n", []string{`name: "a\nb", want a name that can be a folder's`}},
	"k twice":            {strings.Replace(small, "[1, 4]", "[4, 4]", 1), []string{"k[1]: 4 is there already"}},
	"unknown drafter":    {strings.Replace(small, "ngram", "ngrams", 1), []string{`drafters[0].name: no "ngrams", did you mean "ngram"?`}},
	"drafter none":       {strings.Replace(small, "ngram", "none", 1), []string{"drafters[0].name: none is the control"}},
	"drafter twice":      {strings.Replace(small, "k:", "  - name: ngram\nk:", 1), []string{`drafters[1]: is labelled "ngram" as drafters[0] is`}},
	"foreign option":     {strings.Replace(small, "k:", "    layers: 3\nk:", 1), []string{"drafters[0].layers: is no option of ngram, which reads min_n, max_n"}},
	"model without ref":  {strings.Replace(small, "ngram", "model", 1), []string{"drafters[0]: model is missing"}},
	"eagle without head": {strings.Replace(small, "ngram", "eagle", 1), []string{"drafters[0]: head is missing"}},
	"head of another":    {strings.Replace(small, "k:", "    head: x\nk:", 1), []string{"drafters[0].head: is no option of ngram"}},
	"layerskip of none":  {strings.Replace(small, "ngram", "layerskip", 1), []string{"drafters[0]: layers is missing, want layers of the target that draft, at least 1"}},
	"min_n over max_n":   {strings.Replace(small, "k:", "    min_n: 3\n    max_n: 2\nk:", 1), []string{"drafters[0].max_n: is 2 and min_n 3, want 1 <= min_n <= max_n"}},
	"unknown verifier":   {small + "verifiers: [leviatan]\n", []string{`verifiers[0]: no "leviatan", did you mean "leviathan"?`}},
	"greedy-only":        {small + "sampler: {temperature: 0.8}\n", []string{"sampler.temperature: 0.8 with drafters needs stochastic: true"}},
	"greedy-only, list":  {small + "temperatures: [0, 1]\n", []string{"temperatures[1]: 1 with drafters needs stochastic: true"}},
	"two temperatures":   {small + "temperatures: [0]\nsampler: {temperature: 0.5}\n", []string{"temperatures: lack sampler.temperature, 0.5"}},
	"NaN":                {small + "temperatures: [.nan]\n", []string{"temperatures[0]: NaN, want a number of at least 0"}},
	"repetition of 0":    {small + "sampler: {penalties: {repetition: 0}}\n", []string{"sampler: repetition penalty 0, want"}},
	"seeds at 0":         {small + "seeds: [1, 2]\n", []string{"seeds: draw nothing at temperature 0"}},
	"repeats of 0":       {small + "repeats: 0\n", []string{"repeats: 0, want 1 to 10000"}},
	"max_tokens of 0":    {small + "max_tokens: 0\n", []string{"max_tokens: 0, want at least 1, or -1"}},
	"empty stop":         {small + "stop: ['']\n", []string{"stop[0]: is empty"}},
	"prompt file twice":  {small + "  - file: ./p.jsonl\n", []string{"prompts[1].file: ./p.jsonl is prompts[0] already"}},
	"name of a path":     {small + "name: ../x\n", []string{`name: "../x", want a name that can be a folder's`}},
	"no constraint":      {small + "constraints: []\n", []string{"constraints: is empty, want none, json, or the file"}},
	"constraint twice":   {small + "constraints: [json, json]\n", []string{"constraints[1]: json is there already"}},
	"JSON without end":   {small + "constraints: [json]\nignore_eos: true\n", []string{"constraints[0]: json ends where its text is whole"}},
	"budget below -1":    {small + "thinking_budget: -2\n", []string{"thinking_budget: -2, want a number of tokens"}},
	"blanks":             {small + "blanks: 25\n", []string{"blanks: 25, want 0 to 24 white-space characters in a row"}},
	"bounds":             {small + "bounds: {digits: 21}\n", []string{"bounds: 21 digits, want 1 to 20, or 0 for no bound"}},
	"unknown bound":      {small + "bounds: {words: 2}\n", []string{"words"}},
	"strict alone":       {small + "strict: true\nconstraints: [json]\n", []string{"strict: is of no use without the file of a JSON schema"}},
	"too many logprobs":  {small + "logprobs: 21\n", []string{"logprobs: 21, want 0 to 20"}},
	"blind n-gram":       {strings.Replace(small, "k:", "    blind: true\nk:", 1), []string{"drafters[0].blind: is no option of ngram"}},
	"blind for nothing":  {strings.Replace(small, "- name: ngram", "- {name: layerskip, layers: 1, blind: true}", 1), []string{"drafters: blind is of no use without a constraint"}},
	"not UTF-8":          {small + "name: \xff\n", []string{"is not UTF-8 text"}},
}

// What is wrong is said with its place, its key, its value and what was wanted.
func TestParseRefuses(t *testing.T) {
	for name, c := range refusedConfigs {

		_, err := Parse("try.yaml", []byte(c.text))
		var bad *ConfigError
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v, want a ConfigError", name, err)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than a line:\n%v", name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s:\n%v\nlacks %q", name, err, want)
			}
		}
	}
}
