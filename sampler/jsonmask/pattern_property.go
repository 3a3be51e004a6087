package jsonmask

import (
	"fmt"
	"strings"
	"unicode"
)

// property is what follows \p: a general category, a script or a binary property of
// Unicode (UAX #44), as far as package unicode has its table.
func (p *patternParser) property(negated bool) (runeSet, error) {
	from := p.at
	for p.at < len(p.src) && p.src[p.at] != '}' {
		p.at++
	}
	text := string(p.src[from:p.at])
	if !p.next("}") || !strings.HasPrefix(text, "{") {
		return nil, fmt.Errorf(`\p%s without a name in braces`, text)
	}
	text = text[1:]
	kind, name, _ := strings.Cut(text, "=")
	if kind == "scx" || kind == "Script_Extensions" {
		return nil, fmt.Errorf(`\p{%s}: script extensions are not supported, want Script=%s`, text, name)
	}
	set := p.known("p"+text, func() runeSet { return propertySet(text) })
	if set == nil {
		return nil, fmt.Errorf(`\p{%s}: no such property is known here`, text)
	}
	if negated {
		return p.known("P"+text, func() runeSet { return append(runeSet{}, set.not()...) }), nil
	}
	return set, nil
}

// propertySet returns nil where there is no property of the name.
func propertySet(text string) runeSet {
	switch kind, name, two := strings.Cut(text, "="); {
	case !two:
		if set := category(text); set != nil {
			return set
		}
		return binaryProperty(text)
	case kind == "gc" || kind == "General_Category":
		return category(name)
	case kind == "sc" || kind == "Script":
		return script(name)
	}
	return nil
}

func category(name string) runeSet {
	if long, ok := unicode.CategoryAliases[name]; ok {
		name = long
	}
	switch name {
	case "C": // the table lacks what is not assigned
		return unionOf(runesOf(unicode.C), unassigned())
	case "Cn":
		return unassigned()
	case "LC":
		return runesOf(unicode.Lu, unicode.Ll, unicode.Lt)
	case "":
		return nil
	}
	if t, ok := unicode.Categories[name]; ok {
		return runesOf(t)
	}
	return nil
}

func unassigned() runeSet {
	return runesOf(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs).not()
}

func script(name string) runeSet {
	if long, ok := scriptNames[name]; ok {
		name = long
	}
	if t, ok := unicode.Scripts[name]; ok {
		return runesOf(t)
	}
	return nil
}

// scriptNames are short names (ISO 15924) of scripts in wide use.
var scriptNames = map[string]string{
	"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Brai": "Braille", "Cans": "Canadian_Aboriginal", "Cher": "Cherokee",
	"Copt": "Coptic", "Qaac": "Coptic", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Ethi": "Ethiopic", "Geor": "Georgian", "Goth": "Gothic", "Grek": "Greek",
	"Gujr": "Gujarati", "Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana", "Khmr": "Khmer",
	"Knda": "Kannada", "Laoo": "Lao", "Latn": "Latin", "Mlym": "Malayalam", "Mong": "Mongolian", "Mymr": "Myanmar", "Ogam": "Ogham", "Orya": "Oriya",
	"Runr": "Runic", "Sinh": "Sinhala", "Syrc": "Syriac", "Taml": "Tamil", "Telu": "Telugu", "Thaa": "Thaana", "Tibt": "Tibetan", "Zyyy": "Common",
	"Zinh": "Inherited", "Qaai": "Inherited",
}

// binaryProperty returns nil where there is none of the name.
func binaryProperty(name string) runeSet {
	switch name {
	case "Any":
		return runeSet{0, unicode.MaxRune}
	case "ASCII":
		return runeSet{0, 0x7f}
	case "Assigned":
		return unassigned().not()
	case "Alphabetic", "Alpha":
		return runesOf(unicode.L, unicode.Nl, unicode.Other_Alphabetic)
	case "Uppercase", "Upper":
		return runesOf(unicode.Lu, unicode.Other_Uppercase)
	case "Lowercase", "Lower":
		return runesOf(unicode.Ll, unicode.Other_Lowercase)
	case "Math":
		return runesOf(unicode.Sm, unicode.Other_Math)
	case "ID_Start", "IDS":
		return idStart()
	case "ID_Continue", "IDC":
		return unionOf(idStart(), runesOf(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue).less(patternSyntax()))
	}
	if long, ok := propertyNames[name]; ok {
		if long == "" {
			long = name
		}
		return runesOf(unicode.Properties[long])
	}
	return nil
}

func patternSyntax() runeSet { return runesOf(unicode.Pattern_Syntax, unicode.Pattern_White_Space) }

func idStart() runeSet {
	return runesOf(unicode.L, unicode.Nl, unicode.Other_ID_Start).less(patternSyntax())
}

// propertyNames are those of ECMA-262 (table 70) that package unicode has a table
// of, and their short names.
var propertyNames = map[string]string{
	"ASCII_Hex_Digit": "", "AHex": "ASCII_Hex_Digit", "Bidi_Control": "", "Bidi_C": "Bidi_Control", "Dash": "", "Deprecated": "", "Dep": "Deprecated",
	"Diacritic": "", "Dia": "Diacritic", "Extender": "", "Ext": "Extender", "Hex_Digit": "", "Hex": "Hex_Digit", "IDS_Binary_Operator": "",
	"IDSB": "IDS_Binary_Operator", "IDS_Trinary_Operator": "", "IDST": "IDS_Trinary_Operator", "Ideographic": "", "Ideo": "Ideographic",
	"Join_Control": "", "Join_C": "Join_Control", "Logical_Order_Exception": "", "LOE": "Logical_Order_Exception", "Noncharacter_Code_Point": "",
	"NChar": "Noncharacter_Code_Point", "Pattern_Syntax": "", "Pat_Syn": "Pattern_Syntax", "Pattern_White_Space": "", "Pat_WS": "Pattern_White_Space",
	"Quotation_Mark": "", "QMark": "Quotation_Mark", "Radical": "", "Regional_Indicator": "", "RI": "Regional_Indicator", "Sentence_Terminal": "",
	"STerm": "Sentence_Terminal", "Soft_Dotted": "", "SD": "Soft_Dotted", "Terminal_Punctuation": "", "Term": "Terminal_Punctuation",
	"Unified_Ideograph": "", "UIdeo": "Unified_Ideograph", "Variation_Selector": "", "VS": "Variation_Selector", "White_Space": "", "space": "White_Space",
}
