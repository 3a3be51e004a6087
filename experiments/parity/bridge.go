package parity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"foretoken/experiments/dialog"
	"foretoken/model"
)

// A Peer is what engines are compared with. Its rows are what its own model says
// after the same tokens.
type Peer interface {
	// Greedy returns n tokens after a prompt, of which it computes step at a time.
	Greedy(prompt []model.Token, n, step int) ([]model.Token, error)
	// Speculate is Greedy by mlx-lm's own speculation, of k draft tokens.
	Speculate(prompt []model.Token, n, step, k int) ([]model.Token, error)
	// Sample returns n tokens that are drawn as s says.
	Sample(prompt []model.Token, n, step int, s Sampling) ([]model.Token, error)
	// Rows returns the logits after the last rows of tokens, flat, computed block
	// rows at a time.
	Rows(tokens []model.Token, rows, step, block int) ([]float32, error)
}

// A Bridge is mlx-lm in a process of its own.
type Bridge struct {
	About   reply // of open
	process *dialog.Process
	ctx     context.Context // that ends it
}

type request struct {
	Op     string        `json:"op"`
	Model  string        `json:"model,omitempty"`
	DType  string        `json:"dtype,omitempty"`
	Bits   int           `json:"bits,omitempty"`
	Draft  string        `json:"draft,omitempty"`
	K      int           `json:"k,omitempty"`
	Sample *Sampling     `json:"sampling,omitempty"`
	Prompt []model.Token `json:"prompt,omitempty"`
	Tokens []model.Token `json:"tokens,omitempty"`
	N      int           `json:"n,omitempty"`
	Rows   int           `json:"rows,omitempty"`
	Step   int           `json:"step,omitempty"`
	Block  int           `json:"block,omitempty"`
}

type reply struct {
	Error  string        `json:"error,omitempty"`
	Tokens []model.Token `json:"tokens,omitempty"`
	Bytes  int           `json:"bytes,omitempty"`
	Took   float64       `json:"seconds,omitempty"`
	MLX    string        `json:"mlx"`
	MLXLM  string        `json:"mlx_lm"`
	Device string        `json:"device"`
	BLAS   string        `json:"blas"`
}

// Start runs the bridge of r and opens its model at path, and at draft that of its
// speculation, if any. Its messages go to stderr. It ends with ctx, whatever it computes
// then, or by Close.
func Start(ctx context.Context, r Reference, path, draft string, stderr io.Writer) (*Bridge, error) {
	if _, err := os.Stat(r.Bridge); err != nil {
		return nil, fmt.Errorf("parity: reference.bridge: %w", err)
	}
	process, err := dialog.Start(ctx, stderr, r.Python, r.Bridge)
	if err != nil {
		return nil, fmt.Errorf("parity: %w: 'make mlx' makes a Python that has mlx-lm", err)
	}
	b := &Bridge{process: process, ctx: ctx}
	about, _, err := b.ask(request{Op: "open", Model: path, DType: r.DType, Bits: r.Bits, Draft: draft})
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.About = about
	return b, nil
}

func (b *Bridge) ask(q request) (reply, []byte, error) {
	var r reply
	line, err := json.Marshal(q)
	if err == nil {
		line, err = b.process.Ask(line)
	}
	if err != nil {
		return r, nil, b.ended(err)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, nil, fmt.Errorf("parity: mlx-lm said %.100q: %w", line, err)
	}
	if r.Error != "" {
		return r, nil, fmt.Errorf("parity: mlx-lm: %s", r.Error)
	}
	data := make([]byte, r.Bytes)
	if err := b.process.Read(data); err != nil {
		return r, nil, b.ended(err)
	}
	return r, data, nil
}

// ended is what the end of the process means: where we ended it, why we did.
func (b *Bridge) ended(err error) error {
	if why := b.ctx.Err(); why != nil {
		return why
	}
	return fmt.Errorf("parity: mlx-lm ended: %w", err)
}

// Greedy implements Peer.
func (b *Bridge) Greedy(prompt []model.Token, n, step int) ([]model.Token, error) {
	return b.tokens(request{Op: "greedy", Prompt: prompt, N: n, Step: step})
}

// Speculate implements Peer.
func (b *Bridge) Speculate(prompt []model.Token, n, step, k int) ([]model.Token, error) {
	return b.tokens(request{Op: "speculate", Prompt: prompt, N: n, Step: step, K: k})
}

// Sample implements Peer.
func (b *Bridge) Sample(prompt []model.Token, n, step int, s Sampling) ([]model.Token, error) {
	return b.tokens(request{Op: "sample", Prompt: prompt, N: n, Step: step, Sample: &s})
}

func (b *Bridge) tokens(q request) ([]model.Token, error) {
	r, _, err := b.ask(q)
	if err == nil && len(r.Tokens) != q.N {
		err = fmt.Errorf("parity: mlx-lm gave %d tokens, want %d", len(r.Tokens), q.N)
	}
	return r.Tokens, err
}

// Rows implements Peer.
func (b *Bridge) Rows(tokens []model.Token, rows, step, block int) ([]float32, error) {
	_, data, err := b.ask(request{Op: "rows", Tokens: tokens, Rows: rows, Step: step, Block: block})
	out := make([]float32, len(data)/4)
	for i := range out {
		x := data[4*i:]
		out[i] = math.Float32frombits(uint32(x[0]) | uint32(x[1])<<8 | uint32(x[2])<<16 | uint32(x[3])<<24)
	}
	return out, err
}

// Time implements Timer.
func (b *Bridge) Time(prompt []model.Token, n, step, k int) (Timing, error) {
	r, _, err := b.ask(request{Op: "time", Prompt: prompt, N: n, Step: step, K: k})
	if err == nil && len(r.Tokens) != n {
		err = fmt.Errorf("parity: mlx-lm gave %d tokens, want %d", len(r.Tokens), n)
	}
	return Timing{Text: r.Tokens, Tokens: n - 1, Seconds: r.Took}, err
}

// Close ends the process.
func (b *Bridge) Close() error {
	if err := b.process.Close(); err != nil && b.ctx.Err() == nil {
		return fmt.Errorf("parity: mlx-lm: %w", err)
	}
	return nil
}
