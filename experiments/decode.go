package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"foretoken/draft"
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
	if name, ok := reference(v); ok {
		return d.scalar(n, name, path)
	}
	if one, ok := v.Addr().Interface().(*Drafter); ok {
		return d.drafter(n, one, path)
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
	seen, slots := map[string]int{}, slotsOf(v)
	for _, pair := range pairs {
		key := pair.Key.GetToken()
		here := join(path, key.Value)
		i := slices.IndexFunc(slots, func(s slot) bool { return s.key == key.Value })
		if i < 0 {
			return d.source.fail(key, here, d.unknown(key.Value, v))
		}
		if line, ok := seen[key.Value]; ok {
			return d.source.fail(key, here, fmt.Sprintf("is on line %d already", line))
		}
		seen[key.Value] = key.Position.Line
		if err := d.node(pair.Value, slots[i].value, here); err != nil {
			return err
		}
		if x := slots[i].value; slots[i].omit && x.CanInt() && x.IsZero() {
			return d.fail(here, "0, want at least 1, or leave it out")
		}
	}
	return nil
}

// unknown says of a key that a value does not have whose it may be.
func (d *decoder) unknown(key string, v reflect.Value) string {
	if one, ok := v.Interface().(Drafter); ok && slices.Contains(keysOf(v.Type()), key) {
		reads := "no option"
		if keys := optionKeys(one.Name); len(keys) > 0 {
			reads = strings.Join(keys, ", ")
		}
		return fmt.Sprintf("is no option of %s, which reads %s", one.Name, reads)
	}
	return "unknown key" + suggest(key, v.Type(), d.root)
}

// drafter reads the name first, as the other keys follow from it.
func (d *decoder) drafter(n ast.Node, one *Drafter, path string) error {
	pairs, _ := pairsOf(n)
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "name" {
			continue
		}
		if err := d.node(pair.Value, reflect.ValueOf(&one.Name).Elem(), join(path, "name")); err != nil {
			return err
		}
	}
	if one.Name != "" {
		if !slices.Contains(draft.Names(), one.Name) {
			return d.fail(join(path, "name"), unknownName(one.Name, draftNames()))
		}
		one.Options, _ = draft.ByName(one.Name)
	}
	return d.mapping(n, reflect.ValueOf(one).Elem(), path)
}

// sequence takes a single value for a list of one.
func (d *decoder) sequence(n ast.Node, v reflect.Value, path string) error {
	items := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		items = s.Values
	}
	if len(items) == 0 {
		v.SetZero()
		return nil
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
	if len(pairs) == 0 {
		v.SetZero()
		return nil
	}
	out := reflect.MakeMap(v.Type())
	for _, pair := range pairs {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		here := join(path, pair.Key.GetToken().Value)
		if !setNumber(pair.Key.GetToken().Value, key) { // ids, in quotes where the config was written as JSON
			return d.source.fail(pair.Key.GetToken(), here, found(pair.Key)+", want "+wanted(key.Type()))
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

// scalar refuses a value that would need a conversion, except an integer for a float.
func (d *decoder) scalar(n ast.Node, v reflect.Value, path string) error {
	fits := false
	switch x := n.(type) {
	case *ast.StringNode:
		if fits = v.Kind() == reflect.String; fits {
			v.SetString(x.Value)
		} else if _, infinite := infinities[strings.ToLower(x.Value)]; bare(x) || infinite {
			fits = setNumber(x.Value, v)
		}
	case *ast.LiteralNode:
		if fits = v.Kind() == reflect.String; fits {
			v.SetString(x.Value.Value)
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		fits = setNumber(n.GetToken().Value, v)
	case *ast.BoolNode:
		if fits = v.Kind() == reflect.Bool; fits {
			v.SetBool(x.Value)
		}
	}
	if !fits {
		return d.source.fail(n.GetToken(), path, found(n)+", want "+wanted(v.Type()))
	}
	return nil
}

// bare reports text without quotes, which may be a number that the parser does not know.
func bare(n *ast.StringNode) bool { return n.GetToken().Type == token.StringType }

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
