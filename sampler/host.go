package sampler

import "foretoken/model"

// A host executes plans on logits in memory, after the penalties. What it keeps
// is a prefix of the ranking, whatever the filters, so it selects and never sorts
// more than a few candidates.
type host struct {
	all     []int32       // of everyID
	found   []int32       // indices a scan found
	inside  []int32       // of the part that lastKept looks at
	ranks   []rank        // of candidates
	masses  []float64     // weights of what topKRanked ranks
	weights []float32     // of a row
	bins    [binCount]bin // of one level of lastKept
	rows    rows          // of distributions
}

// rankedMax is the top-k up to which candidates are ranked in full.
const rankedMax = 1024

// distribution does the steps of p that follow the penalties.
func (h *host) distribution(z []float32, p *model.Plan) (Distribution, error) {
	switch {
	case p.Temperature == 0:
		ranked, err := h.best(z, 1)
		if err != nil {
			return Distribution{}, err
		}
		return Point(ranked[0].token()), nil
	case p.TopKFirst:
		return h.topKFirst(z, p)
	case p.TopK > 0 && p.TopK <= rankedMax:
		return h.topKRanked(z, p)
	}
	return h.weighedRow(z, p)
}

// highest returns the best logit of a row that has one and no NaN or +Inf.
func highest(z []float32) (float32, error) {
	top, ok := maxOf(z)
	switch {
	case !ok || isInf(top, 1):
		for i, v := range z {
			if isNaN(v) || isInf(v, 1) {
				return 0, &LogitError{Token: model.Token(i), Value: v}
			}
		}
	case isInf(top, -1):
		return 0, ErrNoToken
	}
	return top, nil
}
