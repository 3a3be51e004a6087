package jinja

// A token of a template. The kind of an operator is the operator itself; that of a
// word is "name".
type token struct {
	kind string
	text string // of data and names; what a string literal says
	num  Value  // of "integer" and "float"
	line int
}

const (
	tokData          = "data"
	tokName          = "name"
	tokString        = "string"
	tokInteger       = "integer"
	tokFloat         = "float"
	tokBlockBegin    = "{%"
	tokBlockEnd      = "%}"
	tokVariableBegin = "{{"
	tokVariableEnd   = "}}"
	tokEOF           = "end of the template"
)

// is compares a name with a keyword.
func (t token) is(word string) bool { return t.kind == tokName && t.text == word }

func (t token) String() string {
	if t.kind == tokName {
		return t.text
	}
	return t.kind
}
