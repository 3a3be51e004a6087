package experiments

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A decoder fills a struct from a YAML tree, strictly: every key has to be one of
// the struct's, and no value is bent to fit. It remembers where each value stood,
// so that what is found wrong later can be shown as well.
type decoder struct {
	source source
	at     map[string]*token.Token // by path: drafters[1].layers
	root   reflect.Type            // of the whole
}

// node decodes n into v.
func (d *decoder) node(n ast.Node, v reflect.Value, path string) error {
	n = plain(n)
	d.at[path] = n.GetToken()
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return d.source.fail(n.GetToken(), path, "anchors and aliases are not read; write the value out")
	case *ast.NullNode:
		return d.source.fail(n.GetToken(), path, "no value, want "+wanted(v.Type()))
	}
	switch v.Kind() {
	case reflect.Struct:
		return d.mapping(n, v, path)
	case reflect.Slice:
		return d.sequence(n, v, path)
	case reflect.Map:
		return d.table(n, v, path)
	}
	return d.scalar(n, v, path)
}

func (d *decoder) mapping(n ast.Node, v reflect.Value, path string) error {
	pairs, ok := pairsOf(n)
	if !ok {
		return d.source.fail(n.GetToken(), path, fmt.Sprintf("%s, want keys: %s", found(n), strings.Join(keysOf(v.Type()), ", ")))
	}
	seen := map[string]int{}
	for _, pair := range pairs {
		key := pair.Key.GetToken()
		i := fieldOf(v.Type(), key.Value)
		if i < 0 {
			return d.source.fail(key, join(path, key.Value), "unknown key"+suggest(key.Value, v.Type(), d.root))
		}
		if line, ok := seen[key.Value]; ok {
			return d.source.fail(key, join(path, key.Value), fmt.Sprintf("is on line %d already", line))
		}
		seen[key.Value] = key.Position.Line
		if err := d.node(pair.Value, v.Field(i), join(path, key.Value)); err != nil {
			return err
		}
	}
	return nil
}

// sequence takes a single value for a list of one.
func (d *decoder) sequence(n ast.Node, v reflect.Value, path string) error {
	items := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		items = s.Values
	}
	out := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := d.node(item, out.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	v.Set(out)
	return nil
}

func (d *decoder) table(n ast.Node, v reflect.Value, path string) error {
	pairs, ok := pairsOf(n)
	if !ok {
		return d.source.fail(n.GetToken(), path, found(n)+", want "+wanted(v.Type()))
	}
	out := reflect.MakeMap(v.Type())
	for _, pair := range pairs {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		here := join(path, pair.Key.GetToken().Value)
		if err := d.scalar(pair.Key, key, here); err != nil {
			return err
		}
		if out.MapIndex(key).IsValid() {
			return d.source.fail(pair.Key.GetToken(), here, "is there already")
		}
		if err := d.node(pair.Value, value, here); err != nil {
			return err
		}
		out.SetMapIndex(key, value)
	}
	v.Set(out)
	return nil
}

// scalar refuses what would need a conversion, except an integer for a float.
func (d *decoder) scalar(n ast.Node, v reflect.Value, path string) error {
	fits := false
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		fits = v.Kind() == reflect.String
	case *ast.IntegerNode:
		fits = v.CanInt() || v.CanUint() || v.CanFloat()
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		fits = v.CanFloat()
	case *ast.BoolNode:
		fits = v.Kind() == reflect.Bool
	}
	if fits {
		fits = yaml.NodeToValue(n, v.Addr().Interface(), yaml.Strict()) == nil
	}
	if !fits {
		return d.source.fail(n.GetToken(), path, found(n)+", want "+wanted(v.Type()))
	}
	return nil
}

// plain unwraps tags and single pairs.
func plain(n ast.Node) ast.Node {
	if t, ok := n.(*ast.TagNode); ok && t.Value != nil {
		return plain(t.Value)
	}
	return n
}

func pairsOf(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}
