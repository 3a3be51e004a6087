package jinja

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// What a template may do, far above what any needs. A checkpoint's template is
// foreign code; these end one that would not end itself.
const (
	mostSource  = 1 << 20 // bytes of a template
	mostNesting = 100     // brackets, signs and statements within each other
	mostCalls   = 100     // macros, filters and recursive loops within each other
	mostRange   = 100_000 // numbers of a range, as in Jinja2's sandbox
	mostSteps   = 10_000_000
	mostFolded  = 10_000  // steps of a constant that is worked out beforehand
	mostMade    = 1 << 28 // bytes of all texts and lists that a rendering makes
	itemBytes   = 16      // of an item of a list
)

// A run is one rendering.
type run struct {
	out         *strings.Builder
	given       map[string]Value // the caller's variables
	steps, made int
	calls       int
	now         time.Time
	folding     bool // a constant is worked out before the rendering
}

// A failure is how an error leaves an evaluation; Parse and Render catch it.
type failure struct{ err error }

func fail(format string, args ...any) Value {
	panic(failure{fmt.Errorf(format, args...)})
}

// caught turns a failure into *err.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	case runtime.Error: // a defect of ours, which a foreign template may not make a crash
		*err = fmt.Errorf("internal error: %w", r)
	default:
		panic(r)
	}
}

// step counts n evaluations, comparisons or items walked.
func (r *run) step(n int) {
	if r.steps += n; r.steps > mostSteps {
		fail("more than %d steps in a rendering", mostSteps)
	}
}

// make counts n bytes before they are made.
func (r *run) make(n int) {
	if n > mostMade {
		n = mostMade + 1
	}
	if r.made += n; r.made > mostMade {
		fail("more than %d bytes of texts and lists made in a rendering", mostMade)
	}
	r.step(n / 64)
}

// walk counts the characters of a text that is walked, be it for its length.
func (r *run) walk(v Value) {
	if s, ok := asText(v); ok {
		r.step(len(s) / 16)
	}
}

// size is Python's len, with its cost counted.
func (r *run) size(v Value) (int, bool) {
	r.walk(v)
	return length(v)
}

// grow counts n items of lists before they are made.
func (r *run) grow(n int) { r.make(min(n, mostMade) * itemBytes) }

// text counts a string that was made, and returns it.
func (r *run) text(s string) string {
	r.make(len(s))
	return s
}

// enter counts calls that are under way; the caller defers what it returns.
func (r *run) enter(what string) func() {
	if r.calls++; r.calls > mostCalls {
		fail("%s: more than %d calls within each other", what, mostCalls)
	}
	return func() { r.calls-- }
}
