package experiments

import (
	"errors"
	"fmt"
	"reflect"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/spec"
)

// Models opens each ref once, so that a model that drafts for itself shares its
// weights. It is for one goroutine.
type Models struct {
	open Opener
	all  map[string]*Opened
	refs []string // in the order they were opened
}

// NewModels returns a set that opens by open. The caller closes it.
func NewModels(open Opener) *Models { return &Models{open: open, all: map[string]*Opened{}} }

// Get opens a model by what a config calls it, or returns the one that is open.
func (m *Models) Get(ref string) (*Opened, error) {
	if o, ok := m.all[ref]; ok {
		return o, nil
	}
	o, err := m.open(ref)
	if err != nil {
		return nil, err
	}
	m.all[ref], m.refs = o, append(m.refs, ref)
	return o, nil
}

// Close closes every model that was opened.
func (m *Models) Close() error {
	var errs []error
	for _, ref := range m.refs {
		if c := m.all[ref].Close; c != nil {
			if err := c(); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", ref, err))
			}
		}
	}
	m.all, m.refs = map[string]*Opened{}, nil
	return errors.Join(errs...)
}

// Attach opens what the options of a drafter name, a model or a head, for a target, and
// returns what took part. A model whose vocabulary cannot draft for the target's is an
// error that wraps a *PairError. It is the one way from a drafter's options to a drafter
// that can be made.
func (m *Models) Attach(f draft.Factory, target *Opened) ([]results.ModelInfo, error) {
	var infos []results.ModelInfo
	for _, o := range draft.Options(f) {
		v := o.Value(f)
		switch ref := v.Interface().(type) {
		case draft.ModelRef:
			drafter, err := m.Get(ref.Name)
			if err != nil {
				return nil, err
			}
			if err := ComparePair(target.Tokenizer, drafter.Tokenizer); err != nil {
				return nil, err
			}
			v.Set(reflect.ValueOf(draft.ModelRef{Name: ref.Name, Model: drafter.Model}))
			infos = append(infos, results.ModelInfo{Ref: ref.Name, Info: drafter.Model.Info()})
		case draft.HeadRef:
			head, err := target.OpenHead(ref.Name)
			if err != nil {
				return nil, err
			}
			v.Set(reflect.ValueOf(draft.HeadRef{Name: ref.Name, Head: head}))
			infos = append(infos, results.ModelInfo{Ref: ref.Name, Info: head.Info()})
		}
	}
	return infos, nil
}

// Probe builds the drafter of a set-up once, so that one that cannot be is refused
// before anything begins.
func Probe(s spec.Setup, c sampler.Config) error {
	if s.Drafter == nil {
		return nil
	}
	session, err := draft.OpenTarget(s.Drafter, s.Target)
	if err != nil {
		return err
	}
	d, err := s.Drafter.New(draft.Env{Target: s.Target, Session: session, Sampler: c, RNG: sampler.NewPCG32(0, sampler.DraftStream)})
	if err == nil {
		if _, ok := model.As[model.TreeForwarder](session); d.Law().Tree && !ok {
			err = fmt.Errorf("it proposes trees, and %s forwards none", s.Target.Info().Name)
		}
		err = errors.Join(err, d.Close())
	}
	return errors.Join(err, session.Close())
}
