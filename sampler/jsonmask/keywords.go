package jsonmask

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// own reads the keywords of one schema, but for references and combinators.
func (d *document) own(at string, v map[string]any) (flat, error) {
	r := &reader{at: at, v: v, flat: anything()}
	for _, keyword := range slices.Sorted(maps.Keys(v)) {
		if why, ok := unsupported[keyword]; ok && !harmless(keyword, v) {
			return flat{}, &UnsupportedError{at, keyword, why}
		}
		read, ok := readers[keyword]
		if !ok {
			continue // an annotation, a combinator, or of no standard
		}
		read(r, keyword, v[keyword])
		if r.err != nil {
			return flat{}, r.err
		}
	}
	r.order()
	return r.flat, r.err
}

// harmless are values of unsupported keywords that hold a text to nothing.
func harmless(keyword string, v map[string]any) bool {
	switch value := v[keyword].(type) {
	case bool:
		return keyword == "uniqueItems" && !value || keyword != "uniqueItems" && value && keyword != "contains"
	case map[string]any:
		return len(value) == 0 && (keyword == "patternProperties" || keyword == "propertyNames")
	}
	return false
}

// A reader collects the keywords of one schema.
type reader struct {
	at   string
	v    map[string]any
	flat flat
	err  error
}

func (r *reader) refuse(keyword, want string) {
	if r.err == nil {
		r.err = &SchemaError{r.at, fmt.Sprintf("%s is %v, want %s", keyword, r.v[keyword], want)}
	}
}

func (r *reader) schema(keyword string, value any, keys ...string) source {
	at := under(r.at, keyword)
	for _, k := range keys {
		at = under(at, k)
	}
	return source{at, value}
}

// readers are what the keywords say.
var readers = map[string]func(r *reader, keyword string, value any){
	"type":                 readType,
	"enum":                 readEnum,
	"const":                func(r *reader, _ string, value any) { r.limit([]any{value}) },
	"minimum":              readBound,
	"maximum":              readBound,
	"exclusiveMinimum":     readBound,
	"exclusiveMaximum":     readBound,
	"minLength":            readCount,
	"maxLength":            readCount,
	"minItems":             readCount,
	"maxItems":             readCount,
	"minProperties":        readCount,
	"maxProperties":        readCount,
	"pattern":              readPattern,
	"format":               readFormat,
	"prefixItems":          readPrefix,
	"items":                readItems,
	"properties":           readProperties,
	"additionalProperties": readAdditional,
	"$schema":              readDialect,
	"required":             func(r *reader, k string, value any) { r.flat.required = r.names(k, value) },
	"dependentRequired":    readNeeds,
}

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
	default:
		other.high, other.openHigh = bound, keyword == "exclusiveMaximum"
	}
	r.flat = merge(r.flat, other)
}

func readCount(r *reader, keyword string, value any) {
	n, ok := value.(json.Number)
	var count *big.Rat
	if ok {
		count, ok = rational(n)
	}
	if !ok || !count.IsInt() || count.Sign() < 0 || count.Num().BitLen() > 30 {
		r.refuse(keyword, "a count")
		return
	}
	c := int(count.Num().Int64())
	switch keyword {
	case "minLength":
		r.flat.minLen = c
	case "maxLength":
		r.flat.maxLen = c
	case "minItems":
		r.flat.minItems = c
	case "maxItems":
		r.flat.maxItems = c
	case "minProperties":
		if r.flat.minProps = c; c > 1 {
			r.err = &UnsupportedError{r.at, keyword, "names that are not declared may repeat, so only 0 and 1"}
		}
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

func readFormat(r *reader, keyword string, value any) {
	name, _ := value.(string)
	expr, ok := formats[name]
	if !ok {
		r.err = &UnsupportedError{r.at, keyword, fmt.Sprintf("format %v is not among %v", value, slices.Sorted(maps.Keys(formats)))}
		return
	}
	r.flat.patterns = join(r.flat.patterns, []string{expr})
}

func readPrefix(r *reader, keyword string, value any) {
	list, ok := value.([]any)
	if !ok {
		r.refuse(keyword, "a list of schemas")
		return
	}
	for i, x := range list {
		r.flat.prefix = append(r.flat.prefix, all{r.schema(keyword, x, fmt.Sprint(i))})
	}
}

func readItems(r *reader, keyword string, value any) {
	if _, ok := value.([]any); ok {
		r.err = &UnsupportedError{r.at, keyword, "a list of schemas is prefixItems now"}
		return
	}
	r.flat.items, r.flat.closedItems = all{r.schema(keyword, value)}, true
}

func readAdditional(r *reader, keyword string, value any) {
	r.flat.additional, r.flat.closed = all{r.schema(keyword, value)}, true
}

func readDialect(r *reader, keyword string, value any) {
	if name, ok := value.(string); !ok || !strings.Contains(name, "json-schema.org/") {
		r.err = &UnsupportedError{r.at, keyword, fmt.Sprintf("%v is no dialect of json-schema.org", value)}
	}
}

func readProperties(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(keyword, "schemas by name")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		r.flat.names, r.flat.declared = append(r.flat.names, name), append(r.flat.declared, name)
		r.flat.properties[name] = all{r.schema(keyword, m[name], name)}
	}
}

func readNeeds(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(keyword, "lists of names by name")
		return
	}
	for name, others := range m {
		r.flat.needs[name] = r.names(keyword, others)
	}
}

// names is a list of strings.
func (r *reader) names(keyword string, value any) []string {
	list, ok := value.([]any)
	var out []string
	for _, x := range list {
		name, isName := x.(string)
		ok = ok && isName
		out = append(out, name)
	}
	if !ok {
		r.refuse(keyword, "a list of names")
	}
	return out
}

// order declares the names that are only required or needed.
func (r *reader) order() {
	f := &r.flat
	declare := func(names []string) {
		for _, name := range names {
			if _, ok := f.properties[name]; !ok {
				f.names, f.properties[name] = append(f.names, name), f.additional
			}
		}
	}
	declare(f.required)
	for _, name := range slices.Sorted(maps.Keys(f.needs)) {
		declare([]string{name})
		declare(f.needs[name])
	}
}

// formats are what is asked of strings, as expressions.
var formats = map[string]string{
	"date":      `^` + date + `$`,
	"time":      `^` + clock + `$`,
	"date-time": `^` + date + `[Tt]` + clock + `$`,
	"uuid":      `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`,
	"ipv4":      `^(` + octet + `\.){3}` + octet + `$`,
	"email":     `^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@` + label + `(\.` + label + `)*$`,
}

const (
	octet = `(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])`
	label = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
	leap  = `([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`
	date  = `([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|` + leap + `-02-29)`
	clock = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
)
