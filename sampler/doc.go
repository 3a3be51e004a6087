// Package sampler is the only place that decides what a probability is. A
// Builder turns one row of logits into the Distribution of the next token, for
// the draft and for the target alike; a Distribution is drawn from, compared and
// subtracted. Nobody else sees a temperature, a filter or a penalty.
//
// The steps of a row, each of which may be off:
//
//	force      an engine that leaves no choice (a thinking budget): a point
//	gate       temperature 0, nothing to add: argmax where the logits live
//	mask       ids the constraint forbids become -Inf
//	bias       added to the logits
//	penalties  repetition, presence, frequency over the window
//	softmax    at the temperature
//	filters    top-p, min-p, top-k, in the order that Order names
//	normalise  the survivors' sum is 1
//	draw       inverse CDF at one number of a PCG32 stream
//
// # Which path a row takes
//
// A path is taken by what the plan asks for and how the row looks, and all give the
// distribution that the steps above define. The last column is a path's time over that
// of the next more general one on the same row: 152,064 logits, AVX2, the median of 12
// interleaved pairs. On AVX-512 rows take the same paths, which were not timed one by one.
// A path whose gain was under a tenth on rows that occur is gone.
//
//	plan                        row                      path, file                             time of the general one's
//	a forced token              any                      a point: sampling_distribution.go      no row is read
//	temperature 0, no edits     any                      argmax of the engine: greedy.go        no row is read
//	temperature 0, edits        any                      best of the edited row: select.go
//	a device that executes      on the device            model.PlanExecutor                     survivors leave it
//	top-k first (orders)        any                      topKFirst: topk_first.go               (another law)
//	top-k up to 1024            any                      topKRanked: topk_ranked.go             .02 to .84 of weighedRow's
//	  and top-p                 the best have weight     the sum is added until it tells        .25 to .55 of the whole sum's
//	  and top-p, no vectors     any                      bounds of the sum: sum_bounds.go       .75 to .9 of the exact sum's
//	no filter, no mask          more than 1024 ids       unfilteredRow: weighed_row.go          .17 to .19 of candidates'
//	top-p, min-p, large top-k   any                      weighedRow: weighed_row.go             the general chain
//	  top-p                     a few ids have the mass  heaviest first: candidates.go          .33 to .69; up to 1.09 on rows without
//	  top-p, large top-k        every id a candidate     a sample of the row: cut_sample.go     .36 to .62 of the histogram's (cut.go)
//	  top-p                     (nearly) flat            every id, one masked pass: flat_row.go .36 to .53, and .79 to .85 for candidates
//	  top-p, large top-k        one value                lastOfEqual: flat_row.go               .06 to .42 of the ranking's
//	any                         lent, in memory          edited in place: lent_row.go           .5 to .8 of a copy's
//	any                         vocabulary-wide support  memory used again: recycle.go          .3 (.7 without vectors)
//	a refused draft             vocabulary-wide p        sums of blocks: residue.go             .1 and less of writing the residual out
//
// # Other names
//
// The names that descriptions of this pipeline use elsewhere, and ours:
//
//	SamplerConfig         Config (the seed is the request's: see PCG32; how many log-probabilities, an argument of Builder.Logprobs)
//	PenaltyConfig         Penalties, and Config.LogitBias
//	Pcg32                 PCG32
//	sample_token_array    Builder.SamplingDistribution, then Distribution.Draw or Sample
//	argmax_with_penalties Builder.SamplingDistribution at temperature 0 with penalties: a point
//	apply_mask_argmax     Builder.SamplingDistribution at temperature 0 with a mask: model.MaskedArgmax
//	apply_penalties       the Bias, Seen and penalty fields of model.Plan
//	sampling_distribution Builder.SamplingDistribution
//	compute_top_logprobs  Builder.Logprobs
//	ConstraintEngine      ConstraintEngine (step_mask is Mask, advance is Next)
//	ThinkSplitter         ThinkSplitter, and Think for the budget
package sampler
