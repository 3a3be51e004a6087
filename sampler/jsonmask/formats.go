package jsonmask

func readFormat(r *reader, keyword string, value any) {
	name, ok := value.(string)
	if !ok {
		r.refuse(keyword, "the name of a format")
	}
	f, ok := formats[name]
	if !ok {
		return // of no standard: an annotation
	}
	r.flat.patterns = join(r.flat.patterns, []string{"^(" + f.expr + ")$"})
	if f.most > 0 {
		r.flat.maxLen = tighter(r.flat.maxLen, f.most)
	}
}

// A format is what is asked of a string: an expression, and code points at most; 0
// is no bound.
type format struct {
	expr string
	most int
}

// formats are those of the standard. Expressions are those without groups and classes. Of
// the international ones (idn-, iri) the texts are those of ASCII, of hostname those
// without two hyphens in a row: both are the format, and not all of it.
var formats = map[string]format{
	"date":                  {expr: date},
	"time":                  {expr: clock},
	"date-time":             {expr: date + `[Tt]` + clock},
	"duration":              {expr: duration},
	"uuid":                  {expr: `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`},
	"ipv4":                  {expr: ipv4},
	"ipv6":                  {expr: ipv6},
	"hostname":              {hostname, 253},
	"idn-hostname":          {hostname, 253},
	"email":                 {email, 254},
	"idn-email":             {email, 254},
	"uri":                   {expr: uri(pchar)},
	"iri":                   {expr: uri(pchar)},
	"uri-reference":         {expr: uri(pchar) + "|" + relative(pchar)},
	"iri-reference":         {expr: uri(pchar) + "|" + relative(pchar)},
	"uri-template":          {expr: uri(templated) + "|" + relative(templated)},
	"json-pointer":          {expr: pointer},
	"regex":                 {expr: `\^?(([A-Za-z0-9 _/:,@#%&=;!<>'~-]|\\[dDwWsS.]|\.)[*+?]?)*\$?`},
	"relative-json-pointer": {expr: `(0|[1-9][0-9]*)(#|` + pointer + `)`},
}

// Dates and times are RFC 3339's without leap seconds, durations its appendix A.
const (
	leap     = `([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`
	date     = `([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|` + leap + `-02-29)`
	clock    = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
	hours    = `T([0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S)`
	duration = `P([0-9]+W|([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)(` + hours + `)?|` + hours + `)`
)

// Names of hosts are RFC 1123's, addresses RFC 3986's, mailboxes RFC 5321's without
// quoted ones.
const (
	octet = `(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])`
	ipv4  = `(` + octet + `\.){3}` + octet
	group = `[0-9a-fA-F]{1,4}`
	tail  = `(` + group + `:` + group + `|` + ipv4 + `)`
	ipv6  = `(` + group + `:){6}` + tail + `|::(` + group + `:){5}` + tail + `|(` + group + `)?::(` + group + `:){4}` + tail +
		`|((` + group + `:)?` + group + `)?::(` + group + `:){3}` + tail + `|((` + group + `:){0,2}` + group + `)?::(` + group + `:){2}` + tail +
		`|((` + group + `:){0,3}` + group + `)?::` + group + `:` + tail + `|((` + group + `:){0,4}` + group + `)?::` + tail +
		`|((` + group + `:){0,5}` + group + `)?::` + group + `|((` + group + `:){0,6}` + group + `)?::`
	label    = `[A-Za-z0-9](-?[A-Za-z0-9]){0,31}`
	hostname = label + `(\.` + label + `)*`
	atom     = "[A-Za-z0-9!#$%&'*+/=?^_{|}~-]"
	email    = atom + `(\.?` + atom + `){0,31}@` + hostname
	pointer  = `(/([^~/]|~[01])*)*`
)

// The parts of a URI (RFC 3986), and within a template (RFC 6570) variables too.
const (
	pchar     = `([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`
	templated = `([A-Za-z0-9._~!$&()*+,;=:@-]|%[2-6][0-9A-Fa-f]|\{[+.;&]?[A-Za-z0-9_]+(,[A-Za-z0-9_]+)*\})`
	scheme    = `[A-Za-z][A-Za-z0-9+.-]*:`
)

func uri(char string) string {
	return scheme + `(//` + hostname + `(:[0-9]{1,4})?(/` + char + `*)*|/?(` + char + `+(/` + char + `*)*)?)` + query(char)
}

// relative is a reference without a scheme: no colon before its first slash.
func relative(char string) string {
	return `(//` + hostname + `(:[0-9]{1,4})?(/` + char + `*)*|/(` + char + `+(/` + char + `*)*)?|([A-Za-z0-9._~!$&()*+,;=-]+(/` + char + `*)*)?)` + query(char)
}

func query(char string) string {
	return `(\?(` + char + `|[/?])*)?(#([A-Za-z0-9._~!$&()*+,;=:@/?-])*)?`
}
