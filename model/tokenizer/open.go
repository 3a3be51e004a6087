package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"foretoken/model"
)

// Open reads the tokenizer in a model's folder: tokenizer.json, and where they are
// there tokenizer_config.json, special_tokens_map.json and chat_template.jinja. Ids
// are those that Python's tokenizers gives for tokenizer.json, but its truncation
// and padding are left out. A part that is not known is an *UnsupportedError, a
// wrong one a *FormatError, a folder without the file fs.ErrNotExist.
func Open(dir string) (*Tokenizer, error) { return OpenFS(os.DirFS(dir), dir) }

// OpenFS reads a folder as Open does, from any file system. dir is what messages
// call it.
func OpenFS(fsys fs.FS, dir string) (*Tokenizer, error) {
	data, err := fs.ReadFile(fsys, "tokenizer.json")
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %s: %w", dir, err)
	}
	t, first, err := parse(data)
	if err != nil {
		return nil, inFile(err, filepath.Join(dir, "tokenizer.json"))
	}
	if err := t.configure(fsys, dir, first); err != nil {
		return nil, err
	}
	return t, nil
}

// A hfConfig is tokenizer_config.json or special_tokens_map.json.
type hfConfig struct {
	BOS      *namedToken `json:"bos_token"`
	EOS      *namedToken `json:"eos_token"`
	PAD      *namedToken `json:"pad_token"`
	AddBOS   *bool       `json:"add_bos_token"`
	Template *templates  `json:"chat_template"`
}

// A namedToken is a string, or an object whose content is one.
type namedToken string

func (n *namedToken) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(n)) == nil {
		return nil
	}
	var o struct {
		Content *string `json:"content"`
	}
	if err := json.Unmarshal(data, &o); err != nil || o.Content == nil {
		return fmt.Errorf("want a string or an object with its content, not %.40s", data)
	}
	*n = namedToken(*o.Content)
	return nil
}

// templates is a string, or a list of templates with names, of which the ones called
// default and tool_use count.
type templates struct{ general, tools string }

func (n *templates) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &n.general) == nil {
		return nil
	}
	var list []struct{ Name, Template string }
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("want a string or a list of named ones")
	}
	for _, t := range list {
		switch t.Name {
		case "default":
			n.general = t.Template
		case "tool_use":
			n.tools = t.Template
		}
	}
	return nil
}

// configure reads the files beside tokenizer.json. first are the tokens that its
// post-processor begins a text with.
func (t *Tokenizer) configure(fsys fs.FS, dir string, first []model.Token) error {
	file := filepath.Join(dir, "tokenizer_config.json")
	var config, names hfConfig
	if err := readOptional(fsys, dir, "tokenizer_config.json", &config); err != nil {
		return err
	}
	if err := readOptional(fsys, dir, "special_tokens_map.json", &names); err != nil {
		return err
	}
	var err error
	named := func(field string, tokens ...*namedToken) model.Token {
		for _, n := range tokens {
			if n == nil {
				continue
			}
			id, ok := t.ID(string(*n))
			if !ok && field != "pad_token" && err == nil {
				err = &FormatError{File: file, Field: field, Want: fmt.Sprintf("a token, not %q", *n)}
			}
			return id
		}
		return None
	}
	t.BOS = named("bos_token", config.BOS, names.BOS)
	t.EOS = named("eos_token", config.EOS, names.EOS)
	t.PAD = named("pad_token", config.PAD, names.PAD)
	if err != nil {
		return err
	}
	if len(first) > 0 && t.BOS == None {
		t.BOS = first[0]
	}
	t.prefix = first
	if add := config.AddBOS; add != nil && *add && t.BOS == None {
		return &FormatError{File: file, Field: "bos_token", Want: "a token, for add_bos_token is true"}
	} else if add != nil {
		t.prefix = slices.DeleteFunc(slices.Clone(first), func(id model.Token) bool { return id == t.BOS })
		if *add {
			t.prefix = slices.Concat([]model.Token{t.BOS}, t.prefix)
		}
	}
	if config.Template != nil {
		t.Template, t.ToolTemplate = config.Template.general, config.Template.tools
	}
	switch text, err := fs.ReadFile(fsys, "chat_template.jinja"); {
	case err == nil:
		t.Template, t.ToolTemplate = string(text), ""
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("tokenizer: %s: %w", dir, err)
	}
	return nil
}

// readOptional reads a JSON file that need not be there.
func readOptional(fsys fs.FS, dir, name string, to any) error {
	data, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tokenizer: %s: %w", dir, err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		return &FormatError{File: filepath.Join(dir, name), Field: field(err), Want: "the JSON of a tokenizer's configuration", Err: err}
	}
	return nil
}

// field is where encoding/json met what it could not read.
func field(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return wrong.Field
	}
	return "contents"
}

// inFile names the file in the package's own errors.
func inFile(err error, file string) error {
	var u *UnsupportedError
	var f *FormatError
	switch {
	case errors.As(err, &u):
		u.File = file
	case errors.As(err, &f):
		f.File = file
	}
	return err
}
