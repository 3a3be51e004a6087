package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foretoken/model"
)

// A Builder turns logit rows into distributions over the target's real ids. It
// owns scratch space and is not safe for concurrent use.
type Builder struct {
	cfg         Config
	fingerprint string
	raw         []float32 // a row as the model gives it
	row         []float32 // the same over real ids; -Inf where the model has no word
	allowed     []bool
}

// NewBuilder returns the builder for a model whose rows are width wide, and a
// target with real ids. Ids a row lacks have probability 0; ids past real are
// padding and are never drawn.
func NewBuilder(cfg Config, width, real int) (*Builder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Builder{cfg: cfg, fingerprint: cfg.fingerprint(real), raw: make([]float32, width),
		row: make([]float32, real), allowed: make([]bool, real)}, nil
}

// Fingerprint names the rules of every distribution b builds.
func (b *Builder) Fingerprint() string { return b.fingerprint }

// Greedy reports whether b builds points only.
func (b *Builder) Greedy() bool { return b.cfg.Greedy() }

// SamplingDistribution returns the distribution that row of l gives at a
// position: force, mask, penalties, softmax, filters, renormalise.
func (b *Builder) SamplingDistribution(l model.Logits, row int, at Position) (Distribution, error) {
	if t, ok := at.Forced(); ok {
		return b.point(t), nil
	}
	if b.cfg.Greedy() && !at.masked() && !b.cfg.Penalties.Active() {
		if t, ok, err := b.deviceArgmax(l, row); ok || err != nil {
			return b.point(t), err
		}
	}
	if err := b.score(l, row, at); err != nil {
		return Distribution{}, err
	}
	if b.cfg.Greedy() {
		return b.point(best(b.row, 1)[0]), nil
	}
	d := topK(softmax(b.row, b.cfg.Temperature), b.cfg.TopK)
	d.fingerprint = b.fingerprint
	return d, nil
}

// Best returns up to k ids, the best first, after force, mask and penalties: the
// order a distribution has at any temperature, and still has at temperature 0,
// where the distribution is a point.
func (b *Builder) Best(l model.Logits, row int, at Position, k int) ([]model.Token, error) {
	if t, ok := at.Forced(); ok {
		return []model.Token{t}, nil
	}
	if err := b.score(l, row, at); err != nil {
		return nil, err
	}
	return best(b.row, k), nil
}

// score leaves a row in b.row as the softmax takes it.
func (b *Builder) score(l model.Logits, row int, at Position) error {
	if err := b.read(l, row); err != nil {
		return err
	}
	if at.masked() {
		if err := b.mask(at.Engine); err != nil {
			return err
		}
	}
	b.cfg.Penalties.penalise(b.row, at)
	return nil
}

// deviceArgmax leaves the row where it is, unless its best id is padding.
func (b *Builder) deviceArgmax(l model.Logits, row int) (model.Token, bool, error) {
	ids, err := l.Argmaxes()
	if err != nil || int(ids[row]) >= len(b.row) {
		return 0, false, err
	}
	return ids[row], true, nil
}

// read brings a row to the target's real ids and refuses what is no logit.
func (b *Builder) read(l model.Logits, row int) error {
	if err := l.Read(row, b.raw); err != nil {
		return err
	}
	n := copy(b.row, b.raw)
	for i := range b.row[n:] {
		b.row[n+i] = float32(math.Inf(-1))
	}
	for i, x := range b.row {
		if x != x || math.IsInf(float64(x), 1) {
			return fmt.Errorf("sampler: logit %d of row %d is %v, want finite or -Inf", i, row, x)
		}
	}
	if math.IsInf(float64(slices.Max(b.row)), -1) {
		return fmt.Errorf("sampler: row %d: %w", row, ErrNoToken)
	}
	return nil
}

// mask sets what e forbids to -Inf.
func (b *Builder) mask(e ConstraintEngine) error {
	if err := e.Mask(b.allowed); err != nil {
		return err
	}
	for i, ok := range b.allowed {
		if !ok {
			b.row[i] = float32(math.Inf(-1))
		}
	}
	if math.IsInf(float64(slices.Max(b.row)), -1) {
		return ErrNoToken
	}
	return nil
}

func (b *Builder) point(t model.Token) Distribution {
	d := Point(t)
	d.fingerprint = b.fingerprint
	return d
}

// topK keeps the k most probable tokens.
func topK(d Distribution, k int) Distribution {
	if k == 0 || k >= len(d.ids) {
		return d
	}
	var kept Distribution
	for _, i := range slices.Sorted(slices.Values(best(d.probs, k))) {
		kept.ids, kept.probs = append(kept.ids, d.ids[i]), append(kept.probs, d.probs[i])
	}
	return kept.normalised()
}

// best returns the indices of up to k largest scores above -Inf, largest first,
// equals by index.
func best[F float32 | float64](scores []F, k int) []model.Token {
	var ids []model.Token
	for i, x := range scores {
		if !math.IsInf(float64(x), -1) {
			ids = append(ids, model.Token(i))
		}
	}
	slices.SortStableFunc(ids, func(a, b model.Token) int { return cmp.Compare(scores[b], scores[a]) })
	return ids[:min(k, len(ids))]
}
