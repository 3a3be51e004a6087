package experiments

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"foretoken/strict"
)

// found describes a value.
func found(n ast.Node) string {
	switch x := n.(type) {
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a group of keys"
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.StringNode:
		return fmt.Sprintf("%q", x.Value)
	}
	return n.GetToken().Value
}

// wanted describes a type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list, each " + wanted(t.Elem())
	case reflect.Struct:
		return "keys: " + strings.Join(keysOf(t), ", ")
	}
	return strict.Wanted(t)
}

// keyOf is the name of a field in YAML.
func keyOf(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
		return name
	}
	var b strings.Builder
	for i, r := range f.Name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, keyOf(t.Field(i)))
	}
	return keys
}

func fieldOf(t reflect.Type, key string) int {
	for i := range t.NumField() {
		if keyOf(t.Field(i)) == key {
			return i
		}
	}
	return -1
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
