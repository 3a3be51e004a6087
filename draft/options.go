package draft

import "foretoken/model"

// Options are what a person chooses of a drafter. Each drafter reads its own
// and refuses what it lacks.
type Options struct {
	Model  model.Model // model: the draft model
	Layers int         // layerskip: layers of the target that draft, in [1, target's)
	MinN   int         // ngram: shortest match, at least 1
	MaxN   int         // ngram: longest match, tried first
}
