package spec

import (
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/verify"
)

// A Setup is what requests run on. It is safe for concurrent use.
type Setup struct {
	Target   model.Model
	Drafter  string        // a name of draft.Names
	Draft    draft.Options // what that drafter needs
	Verifier string        // a name of verify.Names
	Policy   verify.Policy
}

// A Request is what one generation is asked for.
type Request struct {
	Prompt    []model.Token // at least one token
	K         int           // draft length, at least 0
	MaxTokens int           // tokens to emit at most, at least 1; -1: as the context allows
	Sampler   sampler.Config
	Seed      uint64
	EOS       []model.Token // each ends the text, and is emitted and counted
	Stop      []string      // none of it is emitted; needs Text
	Text      TextStream    // decodes what is emitted; nil: tokens only
	Emit      func(Chunk) error
}

// A TextStream turns tokens into text that never ends in half a code point.
type TextStream interface {
	Push(model.Token) string // what can be said after this token
	Flush() string           // what was held back
}

// A Chunk is what a round adds to the stream.
type Chunk struct {
	Tokens []model.Token
	Text   string
}

// A Finish says why a generation ended.
type Finish string

const (
	FinishEOS       Finish = "eos"
	FinishStop      Finish = "stop"      // a stop string
	FinishLength    Finish = "length"    // MaxTokens
	FinishContext   Finish = "context"   // the target's context is full
	FinishCancelled Finish = "cancelled" // the context was; what there is stands
)

// A Result is what came of a request.
type Result struct {
	Tokens []model.Token // emitted, the prompt left out; cut together with Text
	Text   string
	Finish Finish
	Rounds []Round
	Facts  Facts
}

// Facts are of a whole request. The rounds hold neither prefill.
type Facts struct {
	PrefillTarget time.Duration
	PrefillDraft  time.Duration
	FirstToken    time.Duration // from the call to the first chunk
	GapP50        time.Duration // between chunks
	GapP95        time.Duration
	Wall          time.Duration
	PeakMemory    int64 // bytes resident at most, of the process; 0 where unknown

	TargetLaw string // fingerprint of the target's distributions
	DraftLaw  string // and of the draft's; "" drafts nothing
}
