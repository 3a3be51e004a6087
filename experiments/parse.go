package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// byteOrderMark is what some editors put before UTF-8 text.
var byteOrderMark = []byte("\ufeff")

// Load reads a config from a file. What is wrong with it is a *ConfigError.
func Load(file string) (Config, error) {
	data, err := ReadConfig(file)
	if err != nil {
		return Config{}, err
	}
	return Parse(file, data)
}

// Parse reads a config; file names it in errors, and gives it a name where it has
// none. It is checked as far as can be without a model or a prompt set.
func Parse(file string, data []byte) (Config, error) {
	c := defaults()
	d, err := decode(file, data, &c)
	if err != nil {
		return c, err
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	if len(c.Temperatures) == 0 {
		c.Temperatures = []float64{widen(c.Sampler.Temperature)}
	}
	if err := d.validate(&c); err != nil {
		return c, err
	}
	c.Sampler.Temperature = float32(c.Temperatures[0])
	return c, nil
}

// Decode reads YAML into a struct, strictly, over the defaults that it holds: every
// key has to be one of the struct's, there is one document, and no value is bent to
// fit. What is wrong is a *ConfigError, which the result can make of what is found
// wrong later.
func Decode(file string, data []byte, to any) (*Decoded, error) {
	d, err := decode(file, data, to)
	return &Decoded{d}, err
}

// A Decoded config knows where each of its values stood.
type Decoded struct{ d *decoder }

// Fail is an error at a path such as drafters[1].layers.
func (c *Decoded) Fail(path, reason string) error { return c.d.fail(path, reason) }

// CheckDrafters holds the drafters, which stand under drafters, to what each reads.
func (c *Decoded) CheckDrafters(drafters []Drafter) error {
	if err := c.d.checkDrafters(&Config{Drafters: drafters}); err != nil {
		return err
	}
	for i, one := range drafters {
		path := fmt.Sprintf("drafters[%d].k", i)
		if len(one.K) == 0 {
			return c.Fail(path, "is missing, want the draft lengths, such as [1, 2, 4]")
		}
		if err := c.d.checkLengths(path, one.K); err != nil {
			return err
		}
	}
	return nil
}

func decode(file string, data []byte, to any) (*decoder, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	src := source{file, strings.Split(string(data), "\n")}
	if !utf8.Valid(data) {
		return nil, src.fail(nil, "", "is not UTF-8 text")
	}
	if err := src.bounded(data); err != nil {
		return nil, err
	}
	tree, err := parse(data)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) {
			return nil, src.syntax(syntax.Token, syntax.Message)
		}
		return nil, src.syntax(nil, err.Error())
	}
	body, err := single(src, tree)
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(to).Elem()
	d := &decoder{source: src, at: map[string]*token.Token{}, root: v.Type()}
	return d, d.node(body, v, "")
}

// parse takes a panic of the parser, which is not ours, for bad input.
func parse(data []byte) (tree *ast.File, err error) {
	defer func() {
		if recover() != nil {
			tree, err = nil, errors.New("is not YAML")
		}
	}()
	return parser.ParseBytes(data, 0)
}

// single is the body of the only document.
func single(src source, tree *ast.File) (ast.Node, error) {
	var body ast.Node
	for _, doc := range tree.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			at := doc.Start
			if at == nil {
				at = doc.Body.GetToken()
			}
			return nil, src.fail(at, "", "a second document begins here, want one")
		}
		body = doc.Body
	}
	if body == nil {
		return nil, src.fail(nil, "", "is empty, want keys and values")
	}
	return body, nil
}
