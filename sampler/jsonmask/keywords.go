package jsonmask

import (
	"fmt"
	"maps"
	"slices"
)

// own reads the keywords of one schema, but for references and combinators.
func (d *document) own(at string, v map[string]any) (flat, error) {
	r := &reader{doc: d, dialect: d.dialect(at), at: at, v: v, flat: anything()}
	for _, keyword := range slices.Sorted(maps.Keys(v)) {
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

// asserts reports whether a keyword may hold a value to something.
func asserts(keyword string) bool {
	_, reads := readers[keyword]
	return reads || slices.Contains(holding, keyword) && keyword != "contentSchema" || slices.Contains(byName, keyword) ||
		slices.Contains(references, keyword)
}

// A reader collects the keywords of one schema.
type reader struct {
	doc     *document
	dialect dialect
	at      string
	v       map[string]any
	flat    flat
	err     error
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
	"multipleOf":           readBound,
	"minLength":            readCount,
	"maxLength":            readCount,
	"minItems":             readCount,
	"maxItems":             readCount,
	"minProperties":        readCount,
	"maxProperties":        readCount,
	"pattern":              readPattern,
	"format":               readFormat,
	"contains":             readContains,
	"uniqueItems":          readUnique,
	"minContains":          func(r *reader, k string, _ any) { r.count(k) },
	"maxContains":          func(r *reader, k string, _ any) { r.count(k) },
	"patternProperties":    readPatterns,
	"propertyNames":        readNaming,
	"prefixItems":          readPrefix,
	"items":                readItems,
	"additionalItems":      readRest,
	"properties":           readProperties,
	"additionalProperties": readAdditional,
	"$schema":              readDialect,
	"$id":                  readID,
	"$anchor":              readAnchor,
	"$vocabulary":          readVocabulary,
	"$dynamicAnchor":       readAnchor,
	"$defs":                readDefs,
	"definitions":          readDefs,
	"if":                   readBranch,
	"then":                 readBranch,
	"else":                 readBranch,
	"required":             func(r *reader, k string, value any) { r.flat.required = r.names(k, value) },
	"dependentRequired":    readNeeds,
	"dependencies":         readNeeds,
}
