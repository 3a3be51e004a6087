package jsonmask

import "math/big"

// The types of JSON, as bits.
const (
	typeNull = 1 << iota
	typeBoolean
	typeInteger // numbers without a fraction
	typeFraction
	typeString
	typeArray
	typeObject

	typeNumber = typeInteger | typeFraction
	typeAll    = 1<<iota - 1
)

var typeBits = map[string]int{"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,

	"string": typeString, "array": typeArray, "object": typeObject}

// A flat is a schema without combinators: one alternative of all that applies to
// a value.
type flat struct {
	spare bool // made of a complement, of which a part may be left out

	types   int
	enum    []any // where limited
	limited bool

	span          // of numbers
	step *big.Rat // they are multiples of; nil is no step

	minLen, maxLen int // maxLen below 0 is no bound; so for items and properties
	patterns       []string
	unlike         []string // patterns that do not match

	prefix             []all
	looked             int // items of prefix that unevaluatedItems leaves alone
	items              all
	closedItems        bool // items says what every item is
	minItems, maxItems int
	unique             bool // items differ
	contains           []contains
	leftovers          []leftover // of unevaluatedItems beside contains

	names              []string // of properties, in the order they were met
	properties         map[string]all
	additional         all
	declared           []string // names that properties has
	closed             bool     // additional says what every other name is
	required           []string
	needs              map[string][]string // dependentRequired
	minProps, maxProps int
	parts              []members // of patternProperties
	naming             all       // what every name is held to, as a string
	notText            []string  // strings that the value is none of
	outsiders          []outsider
}

// all is schemas that a value is held to together; none allow everything.
type all []source

func anything() flat {
	return flat{types: typeAll, maxLen: -1, maxItems: -1, maxProps: -1, properties: map[string]all{}, needs: map[string][]string{}}
}

func (f flat) item(i int) all {
	if i < len(f.prefix) {
		return f.prefix[i]
	}
	return f.items
}

func (f flat) property(name string) all {
	if s, ok := f.properties[name]; ok {
		return s
	}
	return f.additional
}
