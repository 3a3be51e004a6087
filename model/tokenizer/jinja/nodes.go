package jinja

// An expr is an expression of a template.
type expr interface {
	eval(*run, *scope) Value
	children() []expr
}

type (
	constant struct{ value Value }
	// A name is loaded, or is what a statement sets. at is the block that holds it,
	// which resolve finds.
	name struct {
		id string
		at *symbols
	}
	// An nsRef is the attribute of a namespace that a set statement writes.
	nsRef struct {
		on   *name
		attr string
	}
	listExpr  struct{ items []expr }
	tupleExpr struct{ items []expr }
	dictExpr  struct{ keys, values []expr }
	condExpr  struct{ test, yes, no expr } // no may be nil
	logic     struct {
		and         bool
		left, right expr
	}
	notExpr  struct{ of expr }
	signExpr struct {
		minus bool
		of    expr
	}
	binary struct {
		op          string
		left, right expr
	}
	concat struct{ parts []expr }
	// compare is left op[0] right[0] op[1] right[1] ..., as Python chains them.
	compare struct {
		left  expr
		ops   []string
		right []expr
	}
	getAttr struct {
		of   expr
		attr string
	}
	getItem struct {
		of, at expr
		folded bool // see foldSlices
	}
	sliceExpr struct{ start, stop, step expr } // each may be nil
	call      struct {
		of expr
		arguments
	}
	filter struct {
		of   expr // nil: the block's text
		name string
		fn   *builtin // nil where there is none of that name and nobody may ask for it
		arguments
	}
	test struct {
		of   expr
		name string
		fn   *builtin
		arguments
	}
)

// arguments of a call as they are written.
type arguments struct {
	pos             []expr
	names           []string
	values          []expr
	dynPos, dynKeys expr // after * and **, or nil
}

func some(list ...expr) []expr {
	var all []expr
	for _, e := range list {
		if e != nil {
			all = append(all, e)
		}
	}
	return all
}

func (a *arguments) list() []expr {
	return append(append(append([]expr{}, a.pos...), a.values...), some(a.dynPos, a.dynKeys)...)
}

func (*constant) children() []expr    { return nil }
func (*name) children() []expr        { return nil }
func (e *nsRef) children() []expr     { return []expr{e.on} }
func (e *listExpr) children() []expr  { return e.items }
func (e *tupleExpr) children() []expr { return e.items }
func (e *condExpr) children() []expr  { return some(e.test, e.yes, e.no) }
func (e *logic) children() []expr     { return []expr{e.left, e.right} }
func (e *notExpr) children() []expr   { return []expr{e.of} }
func (e *signExpr) children() []expr  { return []expr{e.of} }
func (e *binary) children() []expr    { return []expr{e.left, e.right} }
func (e *concat) children() []expr    { return e.parts }
func (e *compare) children() []expr   { return append([]expr{e.left}, e.right...) }
func (e *getAttr) children() []expr   { return []expr{e.of} }
func (e *getItem) children() []expr   { return []expr{e.of, e.at} }
func (e *sliceExpr) children() []expr { return some(e.start, e.stop, e.step) }
func (e *call) children() []expr      { return append([]expr{e.of}, e.list()...) }
func (e *filter) children() []expr    { return append(some(e.of), e.list()...) }
func (e *test) children() []expr      { return append([]expr{e.of}, e.list()...) }

func (e *dictExpr) children() []expr {
	var all []expr
	for i := range e.keys {
		all = append(all, e.keys[i], e.values[i])
	}
	return all
}

// A statement writes, sets or leads. Those that are a block of their own keep its
// symbols, which resolve finds.
type statement interface {
	exec(*run, *scope) signal
}

type (
	dataStmt   struct{ text string }
	outputStmt struct{ of expr }
	ifStmt     struct {
		tests  []expr
		bodies [][]statement
		other  []statement
	}
	forStmt struct {
		target, over, test            expr // test may be nil
		recursive                     bool
		body, other                   []statement
		bodySyms, otherSyms, testSyms *symbols
	}
	setStmt struct {
		target, value expr
	}
	setBlock struct {
		target expr
		filter *filter // nil: none
		body   []statement
		syms   *symbols
	}
	macroStmt struct {
		*macroDef
		target *name
	}
	// callBlock hands its body to a call as caller. Without a call it is a generation
	// block, which writes what its body writes.
	callBlock struct {
		*macroDef
		call *call
	}
	filterBlock struct {
		filter *filter
		body   []statement
		syms   *symbols
	}
	withStmt struct {
		targets, values []expr
		body            []statement
		syms            *symbols
	}
	scopeStmt struct {
		body []statement
		syms *symbols
	}
	leaveStmt struct{ signal }
)

// A macroDef is what a macro or a call block is made of.
type macroDef struct {
	name                    string
	params                  []*name
	defaults                []expr // of the last parameters
	body                    []statement
	syms                    *symbols
	caller, kwargs, varargs bool // the body uses these, and they are no parameters
}

// A signal is how a statement ends.
type signal int

const (
	goOn signal = iota
	breakLoop
	continueLoop
)
