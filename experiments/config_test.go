package experiments

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"foretoken/draft"
)

const small = `target: tiny
drafters:
  - name: ngram
k: [1, 4]
prompts:
  - file: p.jsonl
`

func TestParse(t *testing.T) {
	c, err := Parse("dir/try.yaml", []byte(small+"verifiers: match\nstochastic: true\ntemperatures: [0, 0.5]\nsampler: {top_k: 40, penalties: {repetition: 1.1}}\nstop: [\"\\n\\n\", END]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Name, want.Target, want.Drafters, want.K = "try", "tiny", []Drafter{{Name: "ngram", Options: &draft.Ngram{}}}, []int{1, 4}
	want.Prompts, want.Verifiers, want.Stochastic = []PromptSource{{File: "p.jsonl"}}, []string{"match"}, true
	want.Temperatures, want.Stop = []float64{0, .5}, []string{"\n\n", "END"}
	want.Sampler.TopK, want.Sampler.Penalties.Repetition = 40, 1.1
	if !reflect.DeepEqual(c, want) {
		t.Errorf("parsed\n%+v, want\n%+v", c, want)
	}
}

// Some editors put a byte order mark before the text and end lines with CR LF.
func TestParseFromWindows(t *testing.T) {
	want, err := Parse("try.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("try.yaml", []byte("\ufeff"+strings.ReplaceAll(small, "\n", "\r\n")))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("parsed %+v, %v, want %+v", got, err, want)
	}
}

// The config that is printed is a config again, the same, and its JSON has every
// key.
func TestResolvedIsAConfig(t *testing.T) {
	c, err := Parse("try.yaml", []byte(small+"seeds: 7\nmax_tokens: -1\nsampler: {logit_bias: {5: -.inf, 7: 1.5}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := c.YAML()
	again, err := Parse("other.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if back := again.YAML(); back != text {
		t.Errorf("resolved once\n%s\ntwice\n%s", text, back)
	}
	data := c.JSON()
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	for _, key := range keysOf(reflect.TypeFor[Config]()) {
		if _, ok := tree[key]; !ok {
			t.Errorf("the JSON lacks %s: %s", key, data)
		}
	}
}

// What the README shows and what --explain prints are saved anywhere, so they may name
// no prompt set by a path.
func TestShownConfigsRunAnywhere(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "```yaml\n")
	shown, _, _ := strings.Cut(after, "```")
	for name, text := range map[string]string{"README.md": shown, "explained.yaml": Explained} {
		c, err := Parse(name, []byte(text))
		if err == nil {
			_, _, err = LoadPrompts(c.Prompts, t.TempDir())
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The explained config is valid and leaves no key out.
func TestExplained(t *testing.T) {
	if _, err := Parse("explained.yaml", []byte(Explained)); err != nil {
		t.Error(err)
	}
	for _, path := range allPaths("", reflect.TypeFor[Config]()) {
		key := path[strings.LastIndexByte(path, '.')+1:]
		if !strings.Contains(Explained, key+":") {
			t.Errorf("%s is not explained", path)
		}
	}
}

// What is wrong is said with its place, its key, its value and what was wanted.
func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
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
	} {
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

// A file of any length is refused after what a config may have.
func TestLoadReadsNoMoreThanAConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.yaml")
	put(t, file, small)
	if err := os.Truncate(file, 64<<20); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Load(file)
	runtime.ReadMemStats(&after)
	var refused *ConfigError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "long.yaml: is longer than 1048576 bytes") {
		t.Errorf("%v, want a refusal for its length", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d bytes of memory to refuse it", took)
	}
}

// The configs that come with the project are valid.
func TestShippedConfigs(t *testing.T) {
	files, _ := filepath.Glob("configs/*.yaml")
	if len(files) == 0 {
		t.Fatal("no configs")
	}
	for _, file := range files {
		if _, err := Load(file); err != nil {
			t.Error(err)
		}
	}
}

// Whatever the bytes, there is a valid config or a ConfigError, and a config that
// is valid stays so when it is written out.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(Explained))
	f.Add([]byte("a: &x [*x]\n<<: *x\n? [b]: !!str 1\n"))
	f.Add([]byte("target: |\n  x\nk: {1: 2}\n--- # c\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("fuzz.yaml", data)
		if err != nil {
			var bad *ConfigError
			if !errors.As(err, &bad) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, text := range []string{c.YAML(), string(c.JSON())} {
			again, err := Parse("fuzz.yaml", []byte(text))
			if err != nil || !reflect.DeepEqual(again, c) {
				t.Fatalf("resolved config: %v\n%s\nis %+v, want %+v", err, text, again, c)
			}
		}
	})
}
