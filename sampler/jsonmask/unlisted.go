package jsonmask

import (
	"encoding/json"
	"math/big"
	"slices"
)

// unlisted returns the values that are none of a list.
func unlisted(at, keyword string, list []any) ([]flat, error) {
	rest, text := anything(), anything()
	text.types = typeString
	var numbers []*big.Rat
	var booleans []bool
	for _, x := range list {
		switch v := x.(type) {
		case nil:
			rest.types &^= typeNull
		case bool:
			booleans = append(booleans, v)
		case string:
			text.notText = join(text.notText, []string{v})
		case json.Number:
			n, ok := rational(v)
			if !ok {
				return nil, &UnsupportedError{at, "not", keyword + " of a number with a great exponent"}
			}
			numbers = append(numbers, n)
		default:
			return nil, &UnsupportedError{at, "not", keyword + " of an object or array has no complement here"}
		}
	}
	var out []flat
	if len(text.notText) > 0 {
		rest.types &^= typeString
		out = append(out, text)
	}
	if len(numbers) > 0 {
		rest.types &^= typeNumber
		out = append(out, between(numbers)...)
	}
	if len(booleans) > 0 {
		rest.types &^= typeBoolean
		for _, b := range []bool{false, true} {
			if !slices.Contains(booleans, b) {
				f := anything()
				f.types, f.enum, f.limited = typeBoolean, []any{b}, true
				out = append(out, f)
			}
		}
	}
	return append(out, rest), nil
}

// between returns the numbers around and between some.
func between(numbers []*big.Rat) []flat {
	slices.SortFunc(numbers, (*big.Rat).Cmp)
	var out []flat
	for i := range len(numbers) + 1 {
		f := anything()
		f.types, f.openLow, f.openHigh = typeNumber, true, true
		if i > 0 {
			f.low = numbers[i-1]
		}
		if i < len(numbers) {
			f.high = numbers[i]
		}
		out = append(out, f)
	}
	return out
}
