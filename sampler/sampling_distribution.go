package sampler

import (
	"fmt"
	"maps"
	"math"
	"math/bits"

	"foretoken/model"
)

// A Builder turns logit rows into distributions over the target's real ids. It
// owns scratch space, allocates only what it returns, and is not safe for
// concurrent use.
type Builder struct {
	cfg         Config
	fingerprint string
	width       int // of a row as the model gives it
	real        int // ids that may be drawn
	plan        model.Plan
	row         []float32  // [max(width, real)] a row; -Inf where the model has no word
	mask        model.Mask // scratch of one position
	marks       []int32    // [real] scratch of count
	host        host
	lent        lentRow
}

// NewBuilder returns the builder for a model whose rows are width wide, and a
// target with real ids. Ids a row lacks have probability 0; ids past real are
// padding and are never drawn.
func NewBuilder(cfg Config, width, real int) (*Builder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if width < 1 || real < 1 {
		return nil, fmt.Errorf("sampler: rows of %d logits and %d real ids, want at least 1", width, real)
	}
	cfg.LogitBias = maps.Clone(cfg.LogitBias)
	b := &Builder{cfg: cfg, fingerprint: cfg.Fingerprint(real), width: width, real: real,
		plan: newPlan(cfg, real), row: make([]float32, max(width, real)), mask: model.NewMask(real)}
	if cfg.Penalties.Active() {
		b.marks = make([]int32, real)
	}
	for i := width; i < real; i++ {
		b.row[i] = float32(math.Inf(-1))
	}
	return b, nil
}

// Fingerprint names the rules of every distribution b builds.
func (b *Builder) Fingerprint() string { return b.fingerprint }

// Greedy reports whether b builds points only.
func (b *Builder) Greedy() bool { return b.cfg.Greedy() }

// SamplingDistribution returns the distribution that row of l gives at a
// position: force, gate, mask, bias, penalties, softmax, filters, renormalise.
// Where nothing is left it fails with ErrNoToken, on NaN or +Inf with a
// *LogitError.
func (b *Builder) SamplingDistribution(l model.Logits, row int, at Position) (Distribution, error) {
	if t, ok := at.Forced(); ok {
		return Point(t).under(b.fingerprint), nil
	}
	if b.cfg.Greedy() {
		if t, ok, err := b.gate(l, row, at); ok || err != nil {
			return Point(t).under(b.fingerprint), err
		}
	}
	plan, err := b.planAt(at)
	if err != nil {
		return Distribution{}, err
	}
	d, err := b.execute(l, row, plan)
	return d.under(b.fingerprint), b.inRow(err, row, at)
}

// execute lets the device do the plan if it can, and else the host.
func (b *Builder) execute(l model.Logits, row int, plan *model.Plan) (Distribution, error) {
	if device, ok := model.As[model.PlanExecutor](l); ok && !plan.TopKFirst {
		s, err := device.Execute(row, plan)
		if err != nil {
			return Distribution{}, err
		}
		if len(s.Tokens) == 0 {
			return Distribution{}, ErrNoToken
		}
		return sparse(s.Tokens, s.Probs), nil
	}
	scores, err := b.scores(l, row, plan)
	if err != nil {
		return Distribution{}, err
	}
	d, err := b.host.distribution(scores, plan)
	b.restoreLent()
	return d, err
}

// Best returns up to k ids, the best first, after force, mask and penalties: the
// order a distribution has at any temperature, and still has at temperature 0,
// where the distribution is a point.
func (b *Builder) Best(l model.Logits, row int, at Position, k int) ([]model.Token, error) {
	if t, ok := at.Forced(); ok {
		return []model.Token{t}, nil
	}
	plan, err := b.planAt(at)
	if err != nil {
		return nil, err
	}
	scores, err := b.scores(l, row, plan)
	if err != nil {
		return nil, b.inRow(err, row, at)
	}
	ranked, err := b.host.best(scores, k)
	b.restoreLent()
	if err != nil {
		return nil, b.inRow(err, row, at)
	}
	ids := make([]model.Token, 0, len(ranked))
	for _, r := range ranked {
		ids = append(ids, r.token())
	}
	return ids, nil
}

// Forbids reports whether e rules t out, whatever the logits: by its mask, or by
// forcing another token.
func (b *Builder) Forbids(e ConstraintEngine, t model.Token) (bool, error) {
	at := Position{Engine: e}
	if forced, ok := at.Forced(); ok {
		return t != forced, nil
	}
	if !at.masked() || t < 0 || int(t) >= b.real {
		return false, nil
	}
	err := e.Mask(b.mask)
	return err == nil && !b.mask.Has(t), err
}

// scores reads a row over the real ids and applies mask, bias and penalties. The
// row may be lent: restoreLent ends that.
func (b *Builder) scores(l model.Logits, row int, plan *model.Plan) ([]float32, error) {
	if v, ok := model.As[model.RowView](l); ok && plan.Mask == nil && b.width >= b.real {
		lent, err := v.View(row)
		if err != nil {
			return nil, err
		}
		return b.penaliseInPlace(lent[:b.real], plan), nil
	}
	if err := l.Read(row, b.row[:b.width]); err != nil {
		return nil, err
	}
	scores := b.row[:b.real]
	if plan.Mask != nil {
		if _, err := highest(scores); err != nil {
			return nil, err // a mask would hide what is no logit
		}
		forbid(scores, plan.Mask)
	}
	penalise(scores, plan)
	return scores, nil
}

// forbid sets what is not in mask to -Inf.
func forbid(scores []float32, mask model.Mask) {
	for i, word := range mask {
		part := scores[i*64 : min(i*64+64, len(scores))]
		if word == 0 {
			for j := range part {
				part[j] = lowest
			}
			continue
		}
		for gone := ^word; gone != 0; gone &= gone - 1 {
			if j := bits.TrailingZeros64(gone); j < len(part) {
				part[j] = lowest
			}
		}
	}
}
