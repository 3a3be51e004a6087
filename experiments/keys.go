package experiments

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"foretoken/draft"
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
	text := n.GetToken().Value
	if digits := strings.TrimLeft(text, "-+"); len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789") == "" {
		text += " with a leading zero"
	}
	return text
}

// wanted describes a type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list, each " + wanted(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[draft.ModelRef]() || t == reflect.TypeFor[draft.HeadRef]() {
			return "text"
		}
		return "keys: " + strings.Join(keysOf(t), ", ")
	}
	return strict.Wanted(t)
}
