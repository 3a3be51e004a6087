package experiments

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foretoken/results"
	"foretoken/strict"
)

// A Prompt is one line of a prompt set.
type Prompt struct {
	ID       string    `json:"id"`
	Domain   string    `json:"domain"`
	Prompt   string    `json:"prompt"`   // a user's turn; with Raw the text itself
	Messages []Message `json:"messages"` // instead of Prompt
	Raw      bool      `json:"raw"`      // no chat template
}

// A PromptError is a fault in a prompt set.
type PromptError struct {
	File   string
	Line   int // from 1; 0 is the whole file
	Reason string
}

// Error implements error.
func (e *PromptError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// LoadPrompts reads what a config takes of its prompt sets, in their order. A
// relative file is looked for in each of the folders.
func LoadPrompts(sources []PromptSource, folders ...string) ([]Prompt, []results.PromptSet, error) {
	var prompts []Prompt
	var sets []results.PromptSet
	from := map[string]string{} // id to where it stands
	for _, s := range sources {
		path, data, err := s.read(folders)
		if err != nil {
			return nil, nil, err
		}
		all, err := ParsePrompts(path, data)
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(data)
		set := results.PromptSet{File: s.File, SHA256: hex.EncodeToString(sum[:]), Domains: map[string]int{}}
		for _, p := range s.take(all) {
			if other, ok := from[p.ID]; ok {
				return nil, nil, &PromptError{path, 0, fmt.Sprintf("id %q is in %s as well", p.ID, other)}
			}
			from[p.ID] = path
			set.Domains[p.Domain]++
			prompts = append(prompts, p)
		}
		for _, d := range s.Domains {
			if set.Domains[d] == 0 {
				return nil, nil, &PromptError{path, 0, fmt.Sprintf("has no prompt of domain %q, has %q", d, domains(all))}
			}
		}
		sets = append(sets, set)
	}
	return prompts, sets, nil
}

// ParsePrompts reads a whole set: JSON lines, no other keys, ids once each.
func ParsePrompts(file string, data []byte) ([]Prompt, error) {
	var prompts []Prompt
	lines := map[string]int{}
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		p, err := parsePrompt(line)
		if err == nil {
			if at, ok := lines[p.ID]; ok {
				err = fmt.Errorf("id %q is on line %d already", p.ID, at)
			}
		}
		if err != nil {
			return nil, &PromptError{file, n, err.Error()}
		}
		lines[p.ID] = n
		prompts = append(prompts, p)
	}
	if len(prompts) == 0 {
		return nil, &PromptError{file, 0, "has no prompts"}
	}
	return prompts, nil
}

func parsePrompt(line []byte) (Prompt, error) {
	var p Prompt
	if !utf8.Valid(line) {
		return p, errors.New("is not UTF-8 text")
	}
	if err := strict.JSON(line, &p); err != nil {
		return p, err
	}
	switch {
	case p.ID == "":
		return p, errors.New("id is missing")
	case p.Domain == "":
		return p, errors.New("domain is missing")
	case strings.ContainsFunc(p.ID+p.Domain, unicode.IsControl):
		return p, fmt.Errorf("id %q, domain %q, want no control characters", p.ID, p.Domain)
	case (p.Prompt == "") == (len(p.Messages) == 0):
		return p, errors.New("want either prompt or messages, and some text in it")
	case p.Raw && p.Prompt == "":
		return p, errors.New("raw needs prompt: messages go through the chat template")
	case !p.Raw && p.Prompt != "" && blank(p.Prompt):
		return p, fmt.Errorf("prompt: %q, want text", p.Prompt)
	}
	for i, m := range p.Messages {
		if !slices.Contains([]string{"system", "user", "assistant"}, m.Role) {
			return p, fmt.Errorf("messages[%d].role: %q, want system, user or assistant", i, m.Role)
		}
		if blank(m.Content) {
			return p, fmt.Errorf("messages[%d].content: %q, want text", i, m.Content)
		}
	}
	return p, nil
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// take is what a source asks for.
func (s PromptSource) take(all []Prompt) []Prompt {
	var out []Prompt
	count := map[string]int{}
	for _, p := range all {
		if len(s.Domains) > 0 && !slices.Contains(s.Domains, p.Domain) || s.Limit > 0 && count[p.Domain] == s.Limit {
			continue
		}
		count[p.Domain]++
		out = append(out, p)
	}
	return out
}

// carried are the prompt sets that the program has within it.
//
//go:embed prompts/*.jsonl
var carried embed.FS

// read gives a set and what messages call it.
func (s PromptSource) read(folders []string) (path string, data []byte, err error) {
	if name, ok := strings.CutPrefix(s.File, "embedded:"); ok {
		if data, err = carried.ReadFile("prompts/" + name); err != nil {
			err = &PromptError{s.File, 0, "is no set that the program carries"}
		}
		return s.File, data, err
	}
	if path, err = find(s.File, folders); err != nil {
		return "", nil, err
	}
	data, err = os.ReadFile(path)
	return path, data, err
}

// find looks for a file in folders.
func find(file string, folders []string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	for _, dir := range folders {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", &PromptError{file, 0, fmt.Sprintf("is in none of %q", folders)}
}

func domains(all []Prompt) []string {
	var out []string
	for _, p := range all {
		if !slices.Contains(out, p.Domain) {
			out = append(out, p.Domain)
		}
	}
	return out
}
