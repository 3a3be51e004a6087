package model

// A Plan says, as data, how one row of logits becomes a distribution over ids
// [0, Real). Its maker alone decides the steps; whoever executes it does them in
// this order: Mask, Bias, Repetition, Presence, Frequency, weights at
// FilterTemperature, TopP, MinP, TopK, weights of the survivors at Temperature,
// renormalise. A plan and its slices are lent for the call.
type Plan struct {
	Real int     // ids that may be drawn; the rest of a row is padding
	Mask Mask    // ids that may be drawn; nil is all of them
	Bias []Bias  // ascending ids in [0, Real), each once
	Seen []Count // ids in the penalty window, each once, in [0, Real)

	Repetition float32 // a seen logit below 0 is multiplied by it, another divided; above 0, 1 is none
	Presence   float32 // subtracted once from a seen logit
	Frequency  float32 // subtracted as often as a logit was seen

	// Temperature is the draw's; 0 asks for the best id alone, the lowest on a
	// tie, and no other step after the penalties.
	Temperature       float32
	FilterTemperature float32 // of the probabilities the filters judge; above 0
	TopP              float32 // 0 is off, else in (0, 1): the best ids before which less than this mass lies
	MinP              float32 // 0 is off, else in (0, 1]: ids of at least this part of the best one's probability
	TopK              int     // 0 is off: the best ids, this many
	// KeepTies makes TopP judge equal logits alike, by the mass strictly above
	// them. Otherwise, and always for TopK, equals rank by id, lowest first.
	KeepTies bool
	// TopKFirst has TopK cut first, and TopP judge the probabilities over what it leaves;
	// KeepTies is then of TopK: what ties with its last stays. Such plans are executed on
	// the host alone.
	TopKFirst bool
}

// A Bias is added to one logit. Value is finite or -Inf.
type Bias struct {
	Token Token
	Value float32
}

// A Count is how often an id stands in the penalty window, at least once.
type Count struct {
	Token Token
	N     int
}

// A Support is what a plan leaves of a row: ids in ascending order with their
// probabilities, of sum 1. It is empty where no id is left.
type Support struct {
	Tokens []Token
	Probs  []float64
}

// A PlanExecutor is Logits that can execute a plan where they live, so that only
// the survivors leave the device.
type PlanExecutor interface {
	// Execute returns what p leaves of a row. The caller owns the result. A row
	// with NaN or +Inf at an id below Real is a *LogitError.
	Execute(row int, p *Plan) (Support, error)
}

// A MaskedArgmax is Logits that can pick the best id of a set.
type MaskedArgmax interface {
	// MaskedArgmax returns the best id of a row that is in mask, the lowest on a
	// tie, or -1 where all of them are -Inf or there are none.
	MaskedArgmax(row int, mask Mask) (Token, error)
}

// A Ranking is the best ids of a row, the best first and the lowest first among
// equals, with their logits, and what turns logits into log-probabilities.
type Ranking struct {
	Tokens    []Token
	Logits    []float32
	LogSumExp float64 // of the ids below real; -Inf where all of them are
	Chosen    float32 // the logit of the id asked for
}

// A Ranker is Logits that can rank a row where they live.
type Ranker interface {
	// Rank returns the k best of the ids below real, fewer where the others are
	// -Inf, and the logit of chosen. NaN or +Inf there is a *LogitError.
	Rank(row, real, k int, chosen Token) (Ranking, error)
}
