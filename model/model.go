// Package model is the contract between decoding and whatever computes logits.
// It imports nothing of ours. The seam is at the model, a few methods, not at
// the operation.
package model

import "errors"

// A Token is an id in the target's vocabulary.
type Token int32

// ErrTrim is wrapped by a Trim that a cache cannot honour.
var ErrTrim = errors.New("model: cache cannot be trimmed")

// Info describes a loaded model.
type Info struct {
	Name        string
	Vocab       int   // width of a row of logits
	Real        int   // ids a tokenizer has, [0, Real); what is above is padding
	Layers      int   // decoder layers
	Context     int   // positions a session can hold; 0 is no limit
	Parameters  int64 // scalars, a tied head counted once
	WeightBytes int64 // bytes of weights that one decoding step reads
}

// A Model is weights. It is safe for concurrent use; its sessions are not.
type Model interface {
	Info() Info
	NewSession() (Session, error)
}

// A Session is one sequence and its key/value cache.
type Session interface {
	// Len is the number of cached tokens.
	Len() int
	// Forward appends tokens and returns the logits after each of the last rows
	// of them, rows in [0, len(tokens)]. The result may be lazy.
	Forward(tokens []Token, rows int) (Logits, error)
	// Trim forgets position n and after. n above Len is an error, and a failed
	// Trim changes nothing.
	Trim(n int) error
	Close() error
}

// A ReadMeter is a session on a device that counts what leaves it.
type ReadMeter interface {
	// BytesRead is the bytes of logits and ids that were read back so far.
	BytesRead() int64
}

// A Pipelined is a session, or a head's, that can begin a step before it is asked for.
type Pipelined interface {
	// Pipeline says that, up to steps times, Forward is likely to be called with the
	// best id of the row before, and one row; a HeadSession's ForwardStates with its
	// own last state too. What is begun and then not asked for
	// costs time and changes nothing; 0 ends it.
	Pipeline(steps int)
}

// Logits is [rows, Vocab] scores that may live on a device. They are valid until
// the session's next Forward: Trim and Keep leave them alone, so what is read
// after the rollback (log-probabilities) is still there.
type Logits interface {
	// Wait returns when the scores exist: the barrier a timed span ends at.
	Wait() error
	// Argmaxes gives the best id of every row, the lowest on a tie, in one
	// evaluation. A second call costs nothing. The slice is the session's.
	Argmaxes() ([]Token, error)
	// Read copies a row to dst, which has length Vocab.
	Read(row int, dst []float32) error
}

// A LayerSkipper is a model whose first layers, with its final norm and head, are
// a model too: LayerSkip's self-speculation (Elhoushi et al. 2024).
type LayerSkipper interface {
	// FirstLayers returns the model of layers [0, n), which shares the weights.
	// n outside [1, Layers] is an error.
	FirstLayers(n int) (Model, error)
}

// A TreeForwarder is a session that can forward a tree of alternatives.
type TreeForwarder interface {
	// ForwardTree appends tokens as a tree and returns the logits after every
	// one. parents[i] < i is the index in tokens of what token i follows, -1 the
	// cached sequence. Until Keep, nothing else may be called.
	ForwardTree(tokens []Token, parents []int) (Logits, error)
	// Keep makes the cache what it would be had the tokens at path alone been
	// forwarded, in that order. path is a descending line from a root, and
	// indexes tokens. Hidden states are kept with their tokens.
	Keep(path []int) error
}

// States are hidden states, opaque outside the backend that made them.
type States interface{ Len() int }

// A HiddenTap gives the hidden states of cached positions.
type HiddenTap interface {
	// Hidden returns the states of positions [from, to). A state lives as long
	// as its position: Trim(n) forgets those at n and after, Keep moves those it
	// keeps.
	Hidden(from, to int) (States, error)
}

// A Head is a small model over a target's hidden states.
type Head interface {
	Info() Info // Vocab is the target's: words the head lacks are -Inf
	NewSession() (HeadSession, error)
	// NewTarget returns a session of m that is a HiddenTap for the states this
	// head reads, or says why m cannot be its target.
	NewTarget(m Model) (Session, error)
}

// A HeadSession caches pairs: position i is the target's state i with token i+1,
// so a head needs no state of the last token, which is not forwarded yet.
type HeadSession interface {
	HiddenTap // its own states, which stand in for the target's when fed back
	Len() int
	ForwardStates(states States, tokens []Token, rows int) (Logits, error)
	Trim(n int) error
	Close() error
}
