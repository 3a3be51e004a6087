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
