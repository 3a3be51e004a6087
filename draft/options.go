package draft

import "foretoken/model"

// Options are what a person chooses of a drafter. Each drafter reads its own
// and refuses what it lacks.
type Options struct {
	Model  model.Model // model: the draft model, with the target's vocabulary
	Head   model.Head  // eagle: the head trained for the target
	Layers int         // layerskip: layers of the target that draft, in [1, target's)
	MinN   int         // ngram: shortest match, at least 1; 0 is 1
	MaxN   int         // ngram: longest match, tried first; 0 is 3
	Blind  bool        // model, layerskip, eagle: propose as if there were no constraint
}
