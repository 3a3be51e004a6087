package sampler

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"foretoken/model"
)

// ErrNoToken is returned where nothing is left to draw: a constraint or the
// biases forbid every token, or the whole row is -Inf. It arrives as a *NoTokenError.
var ErrNoToken = errors.New("sampler: no token is allowed")

// A NoTokenError is a row that leaves nothing to draw, with what ruled tokens out. It
// is ErrNoToken.
type NoTokenError struct {
	Row        int
	Real       int           // ids of the vocabulary
	Constraint string        // what masks the row, as it describes itself; "" is none
	Allowed    int           // ids that it allows; Real without one
	Banned     []model.Token // of those, what a bias of -Inf bans, ascending
}

// Unwrap makes errors.Is(e, ErrNoToken) hold.
func (*NoTokenError) Unwrap() error { return ErrNoToken }

// Error implements error.
func (e *NoTokenError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v in row %d", ErrNoToken, e.Row)
	if e.Constraint == "" {
		fmt.Fprintf(&b, ": %d tokens and no constraint", e.Real)
	} else {
		fmt.Fprintf(&b, ": %s allows %d of %d tokens", e.Constraint, e.Allowed, e.Real)
	}
	if n := len(e.Banned); n > 0 {
		fmt.Fprintf(&b, ", a logit bias of -Inf bans %s of them", tokenList(e.Banned))
	}
	if rest := e.Allowed - len(e.Banned); rest > 0 {
		fmt.Fprintf(&b, ", the model gives %d a logit of -Inf", rest)
	}
	return b.String()
}

// tokenList names some tokens, and how many more there are.
func tokenList(tokens []model.Token) string {
	const most = 6
	if len(tokens) == 1 {
		return fmt.Sprintf("1 (token %d)", tokens[0])
	}
	named := strings.Trim(fmt.Sprint(tokens[:min(most, len(tokens))]), "[]")
	if len(tokens) > most {
		named += " ..."
	}
	return fmt.Sprintf("%d (tokens %s)", len(tokens), named)
}

// none returns a *NoTokenError with what b knows of position at.
func (b *Builder) none(row int, at Position) error {
	e := &NoTokenError{Row: row, Real: b.real, Allowed: b.real}
	mask := b.mask
	mask.Fill(b.real)
	if at.masked() {
		e.Constraint = describe(at.Engine)
		if _, err := b.maskAt(at); err != nil {
			return errors.Join(fmt.Errorf("%w in row %d", ErrNoToken, row), err)
		}
		e.Allowed = 0
		for _, word := range mask {
			e.Allowed += bits.OnesCount64(word)
		}
	}
	for _, x := range b.plan.Bias {
		if isInf(x.Value, -1) && mask.Has(x.Token) {
			e.Banned = append(e.Banned, x.Token)
		}
	}
	return e
}

// A Described engine says what it is, for errors: "the JSON schema person.json".
type Described interface{ Describe() string }

func describe(e ConstraintEngine) string {
	if d, ok := e.(Described); ok {
		return d.Describe()
	}
	return "the constraint"
}

// Describe implements Described: what masks is the inner engine.
func (m mayThink) Describe() string { return describe(m.inner) }
