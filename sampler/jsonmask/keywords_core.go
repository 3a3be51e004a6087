package jsonmask

import "regexp"

// What holds a text to nothing where it stands, and names or is used by what does: a
// value of the wrong type would be taken for absent.

// The forms of names (JSON Schema Core 2020-12, sections 8.2.1 and 8.2.2).
var (
	idForm     = regexp.MustCompile(`^[^#]*#?$`)
	anyForm    = regexp.MustCompile(`^[^#]*(#[^#]*)?$`)
	anchorForm = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)
)

func readID(r *reader, keyword string, value any) {
	form := idForm
	if r.dialect <= draft7 { // an anchor was an $id too
		form = anyForm
	}
	if text, ok := value.(string); !ok || !form.MatchString(text) {
		r.refuse(keyword, "a URI without a fragment")
	}
}

// readVocabulary reads what says something of the schemas that this one is the schema of,
// and of values nothing.
func readVocabulary(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	for _, x := range m {
		_, is := x.(bool)
		ok = ok && is
	}
	if !ok {
		r.refuse(keyword, "true or false by the URI of a vocabulary")
	}
}

func readAnchor(r *reader, keyword string, value any) {
	if text, ok := value.(string); !ok || !anchorForm.MatchString(text) {
		r.refuse(keyword, "a name of letters, digits, -, _ and .")
	}
}

func readDefs(r *reader, keyword string, value any) {
	m, ok := value.(map[string]any)
	for _, x := range m {
		ok = ok && isSchema(x)
	}
	if !ok {
		r.refuse(keyword, "schemas by name")
	}
}

func readBranch(r *reader, keyword string, value any) {
	if !isSchema(value) {
		r.refuse(keyword, "a schema")
	}
}

// isSchema reports whether value may stand where a schema does.
func isSchema(value any) bool {
	switch value.(type) {
	case bool, map[string]any:
		return true
	}
	return false
}
