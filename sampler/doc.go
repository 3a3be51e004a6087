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
//	filters    top-p, min-p, top-k, in one of two orders (see Order)
//	normalise  the survivors' sum is 1
//	draw       inverse CDF at one number of a PCG32 stream
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
