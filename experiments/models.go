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
	refs []string                                    // in the order they were opened
	path func(ref string) string                     // of what a config calls a model or a head
	sums func(ref string) (map[string]string, error) // of its files; nil: they are not taken
}

// NewModels returns a set that opens by open. The caller closes it.
func NewModels(open Opener) *Models {
	return &Models{open: open, all: map[string]*Opened{}, path: func(ref string) string { return ref }}
}

// Get opens a model by what a config calls it, or returns the one that is open.
func (m *Models) Get(ref string) (*Opened, error) {
	if o, ok := m.all[ref]; ok {
		return o, nil
	}
	o, err := m.open(m.path(ref))
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
			info, err := m.info(ref.Name, drafter.Model.Info())
			if err != nil {
				return nil, err
			}
			infos = append(infos, info)
		case draft.HeadRef:
			head, err := target.OpenHead(m.path(ref.Name))
			if err != nil {
				return nil, err
			}
			v.Set(reflect.ValueOf(draft.HeadRef{Name: ref.Name, Head: head}))
			info, err := m.info(ref.Name, head.Info())
			if err != nil {
				return nil, err
			}
			infos = append(infos, info)
		}
	}
	return infos, nil
}

// info describes a model or a head that takes part, with the hashes of its files.
func (m *Models) info(ref string, of model.Info) (results.ModelInfo, error) {
	out := results.ModelInfo{Ref: ref, Info: of}
	if m.sums == nil {
		return out, nil
	}
	var err error
	out.Files, err = m.sums(m.path(ref))
	return out, err
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
