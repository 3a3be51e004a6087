package jsonmask

import (
	"encoding/json"
	"math/big"
)

func readType(r *reader, keyword string, value any) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	r.flat.types = 0
	for _, x := range list {
		name, _ := x.(string)
		bits, ok := typeBits[name]
		if !ok {
			r.refuse(keyword, "the name of a type")
		}
		r.flat.types |= bits
	}
}

func readEnum(r *reader, keyword string, value any) {
	list, ok := value.([]any)
	if !ok {
		r.refuse(keyword, "a list of values")
		return
	}
	r.limit(list)
}

// limit holds the value to a list, and to any list before it.
func (r *reader) limit(values []any) {
	other := anything()
	other.enum, other.limited = values, true
	r.flat = merge(r.flat, other)
}

func readBound(r *reader, keyword string, value any) {
	n, ok := value.(json.Number)
	var bound *big.Rat
	if ok {
		bound, ok = rational(n)
	}
	if !ok {
		r.refuse(keyword, "a number below 1e40")
		return
	}
	other := anything()
	switch keyword {
	case "minimum", "exclusiveMinimum":
		other.low, other.openLow = bound, keyword == "exclusiveMinimum"
	case "multipleOf":
		if bound.Sign() <= 0 {
			r.refuse(keyword, "a number above 0")
			return
		}
		other.step = bound
	default:
		other.high, other.openHigh = bound, keyword == "exclusiveMaximum"
	}
	r.flat = merge(r.flat, other)
}

func readCount(r *reader, keyword string, value any) {
	c, ok := r.count(keyword)
	if !ok {
		return
	}
	switch keyword {
	case "minLength":
		r.flat.minLen = c
	case "maxLength":
		r.flat.maxLen = tighter(r.flat.maxLen, c)
	case "minItems":
		r.flat.minItems = c
	case "maxItems":
		r.flat.maxItems = c
	case "minProperties":
		r.flat.minProps = c
	case "maxProperties":
		r.flat.maxProps = c
	}
}

func readPattern(r *reader, keyword string, value any) {
	expr, ok := value.(string)
	if !ok {
		r.refuse(keyword, "a regular expression")
		return
	}
	if _, err := newPattern(expr); err != nil {
		r.err = &UnsupportedError{r.at, keyword, err.Error()}
		return
	}
	r.flat.patterns = join(r.flat.patterns, []string{expr})
}

// count is the value of a keyword that counts.
func (r *reader) count(keyword string) (int, bool) {
	n, ok := r.v[keyword].(json.Number)
	var count *big.Rat
	if ok {
		count, ok = rational(n)
	}
	if !ok || !count.IsInt() || count.Sign() < 0 || count.Num().BitLen() > 30 {
		r.refuse(keyword, "a count")
		return 0, false
	}
	return int(count.Num().Int64()), true
}
