package load

import (
	"errors"
	"fmt"
	"strings"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
)

// Options are choices of the opening that a model's name leaves open. The zero value is
// what the machine is best with.
type Options struct {
	MLX mlx.Options
	// Choose builds distributions on MLX's device: see llama.Options.
	Choose bool
}

// An engine makes a model of a checkpoint. ids is how many of the vocabulary's rows
// are words; the rest is padding.
type engine struct {
	name string
	open func(ck *checkpoint.Checkpoint, ids int, with Options) (model.Model, error)
}

// warnings are those of MLX, once it is open, or of ref on its plain kernels.
func (e engine) warnings(with Options) []error {
	if !strings.HasPrefix(e.name, "mlx") {
		if _, advice := ref.Path(); advice != "" {
			return []error{errors.New(advice)}
		}
		return nil
	}
	m, err := mlx.Open(with.MLX)
	if err != nil {
		return []error{err}
	}
	return m.Warnings()
}

// About says in a line what MLX computes with here, or why it cannot be used; the
// warnings are doubts about it.
func (o Options) About() (mlxs string, warnings []error) {
	e, err := mlx.Open(o.MLX)
	if err != nil {
		return err.Error(), nil
	}
	return e.About(), e.Warnings()
}

// Noise is the numbers that MLX's draws take after mx.random.seed(seed).
func (o Options) Noise(seed uint64) (*mlx.Noise, error) {
	e, err := mlx.Open(o.MLX)
	if err != nil {
		return nil, err
	}
	return e.Noise(seed)
}

// Reference says in a line what the engine ref computes with here; the advice is how
// to make it faster, "" where that is not to be had.
func Reference() (about, advice string) { return ref.Path() }

// engines are what can stand before a model's name. The first is the one of a name
// alone.
var engines = []engine{
	{"ref", reference(ref.New)},
	{"ref-f32", reference(ref.NewFloat32)},
	{"mlx", onMLX(llama.Options{})},
	{"mlx-f32", onMLX(llama.Options{DType: mlx.Float32})},
	{"mlx-f16", onMLX(llama.Options{DType: mlx.Float16})},
	{"mlx-bf16", onMLX(llama.Options{DType: mlx.BFloat16})},
	{"mlx-4bit", onMLX(llama.Options{DType: mlx.BFloat16, Bits: 4})},
	{"mlx-8bit", onMLX(llama.Options{DType: mlx.BFloat16, Bits: 8})},
	{"mlx-kv4", onMLX(llama.Options{KVBits: 4})},
	{"mlx-kv8", onMLX(llama.Options{KVBits: 8})},
	{"mlx-bf16-kv8", onMLX(llama.Options{DType: mlx.BFloat16, KVBits: 8})},
	{"mlx-4bit-kv8", onMLX(llama.Options{DType: mlx.BFloat16, Bits: 4, KVBits: 8})},
}

// Engines are the names of what can run a model: ref in Go, on quantised weights as
// they are; ref-f32, the same on float32, whatever the checkpoint has; and MLX in the
// checkpoint's own type, in one that is said, or quantised, with bfloat16 for the rest;
// kv4 and kv8 quantise what is cached.
func Engines() (names []string) {
	for _, e := range engines {
		names = append(names, e.name)
	}
	return names
}

// engineOf divides ref into an engine and what a model is called. What stands before
// a colon is an engine where it could be one and not a path.
func engineOf(ref string) (engine, string, error) {
	before, name, ok := strings.Cut(ref, ":")
	if !ok || strings.ContainsAny(before, `/\.`) {
		return engines[0], ref, nil
	}
	for _, e := range engines {
		if e.name == before {
			return e, name, nil
		}
	}
	return engine{}, "", fmt.Errorf("load: %q: no engine %q, want one of %s", ref, before, strings.Join(Engines(), ", "))
}

func reference(open func(*checkpoint.Checkpoint) (model.Model, error)) func(*checkpoint.Checkpoint, int, Options) (model.Model, error) {
	return func(ck *checkpoint.Checkpoint, ids int, _ Options) (model.Model, error) {
		m, err := open(ck)
		if err != nil {
			return nil, err
		}
		return m.(*ref.Model).WithReal(ids), nil
	}
}

func onMLX(o llama.Options) func(*checkpoint.Checkpoint, int, Options) (model.Model, error) {
	return func(ck *checkpoint.Checkpoint, ids int, with Options) (model.Model, error) {
		e, err := mlx.Open(with.MLX)
		if err != nil {
			return nil, err
		}
		o := o
		o.Choose, o.Real = with.Choose, ids
		m, err := llama.New(e, ck, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}
