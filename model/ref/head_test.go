package ref

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
)

// targets are sizes that a head can have: rows of whole lines, and its heads any.
var targets = map[string]checkpoint.Config{
	"llama":      tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab = 64, 90 }),
	"tied":       tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.TiedHead = 32, 90, true }),
	"odd heads":  tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.HeadDim, c.KVHeads = 96, 90, 6, 3 }),
	"wide heads": tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.HeadDim, c.Heads = 64, 91, 72, 2 }),
}

// headFile is a random head for a target of a config, as read from its files.
func headFile(t *testing.T, c checkpoint.Config, taps []int) *checkpoint.Head {
	t.Helper()
	files := fstest.MapFS{}
	for name, b := range checkpointtest.NewHead(c, taps, 7).Files(checkpoint.Q8_0) {
		files[name] = &fstest.MapFile{Data: b}
	}
	h, err := checkpoint.OpenHeadFS(files, "random-head")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A pair is a head and its target, a session of each, and what they were made of.
type pair struct {
	ck     *checkpoint.Checkpoint
	file   *checkpoint.Head
	m      *Model
	h      *Head
	target model.Session
	head   model.HeadSession
}

func newPair(t *testing.T, c checkpoint.Config, how how) pair {
	t.Helper()
	p := pair{ck: random(c, 11), file: headFile(t, c, []int{0, 1, 3})}
	var err, err2, err3 error
	p.m, err = build(p.ck, how)
	if err != nil {
		t.Fatal(err)
	}
	p.h, err = NewHead(p.file, p.m)
	if err != nil {
		t.Fatal(err)
	}
	p.target, err2 = p.h.NewTarget(p.m)
	p.head, err3 = p.h.NewSession()
	if err := errors.Join(err2, err3); err != nil {
		t.Fatal(err)
	}
	return p
}

// eachPair runs f on heads that are kept as they are, in int8, and in float32.
func eachPair(t *testing.T, f func(t *testing.T, p pair)) {
	for name, c := range targets {
		for _, k := range paths() {
			t.Run(name+"/"+k.name, func(t *testing.T) { f(t, newPair(t, c, how{k: k, pool: cores()})) })
			t.Run(name+"/"+k.name+"/float32", func(t *testing.T) { f(t, newPair(t, c, how{floats: true, k: k, pool: cores()})) })
		}
	}
}

// rounding is how far a pair's logits may be from those of float64: in blocks of
// int8, as far as their vectors are rounded.
func (p pair) rounding() float64 {
	if p.m.how.floats {
		return tolerance
	}
	return .05
}

// seek forwards tokens through the target, and pairs [from, len(tokens)-1) of
// them through the head, some at a time.
func (p pair) seek(t *testing.T, tokens []model.Token, from, some int) (out [][]float32) {
	t.Helper()
	if n := p.target.Len(); n < len(tokens)-1 {
		if _, err := p.target.Forward(tokens[n:len(tokens)-1], 0); err != nil {
			t.Fatal(err)
		}
	}
	for ; from < len(tokens)-1; from += some {
		to := min(from+some, len(tokens)-1)
		states, err := p.target.(model.HiddenTap).Hidden(from, to)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.forward(t, states, tokens[from+1:to+1], to-from)...)
	}
	return out
}

// feed gives the head its own last state.
func (p pair) feed(t *testing.T, token model.Token) []float32 {
	t.Helper()
	states, err := p.head.Hidden(p.head.Len()-1, p.head.Len())
	if err != nil {
		t.Fatal(err)
	}
	return p.forward(t, states, []model.Token{token}, 1)[0]
}

func (p pair) forward(t *testing.T, states model.States, tokens []model.Token, rows int) [][]float32 {
	t.Helper()
	l, err := p.head.ForwardStates(states, tokens, rows)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, rows)
	best, err := l.Argmaxes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = make([]float32, p.m.config.Vocab)
		if err := l.Read(i, out[i]); err != nil {
			t.Fatal(err)
		}
		if want := model.Token(slices.Index(out[i], slices.Max(out[i]))); best[i] != want {
			t.Fatalf("row %d: best id %d, want %d", i, best[i], want)
		}
	}
	return out
}

// headOracle is a head in float64: every pair at once, one after the other.
type headOracle struct {
	oracle
	file   *checkpoint.Head
	embed  []float64
	states [][][]float64 // of the target: position, layer, stream
	fault  string
}

func newHeadOracle(p pair, tokens []model.Token, fault string) headOracle {
	o := headOracle{oracle: oracle{p.file.Checkpoint, 0}, file: p.file, embed: oracle{p.ck, 0}.tensor("model.embed_tokens.weight"), fault: fault}
	_, o.states = oracle{p.ck, 0}.rows(tokens)
	return o
}

// rows gives the logits after every pair of tokens; the pairs from real on have
// the head's own states.
func (o headOracle) rows(tokens []model.Token, real int) (out [][]float64) {
	c := o.file.Config
	var keys, values [][]float64
	var x []float64
	for i, id := range tokens[1:] {
		if i < real {
			at := i
			if o.fault == "a state late" {
				at++
			}
			var wide []float64
			for _, l := range o.file.Taps {
				wide = append(wide, o.states[at][l]...)
			}
			x = o.linear("fc", wide)
		} else if o.fault == "fc of a state fed back" {
			x = o.linear("fc", slices.Concat(x, x, x))
		}
		pos := i + 1
		if o.fault == "a position skipped" && i >= real {
			pos++
		}
		token := o.norm("layer.input_layernorm.weight", o.embed[int(id)*c.Hidden:][:c.Hidden])
		state := o.norm("layer.hidden_norm.weight", x)
		h := slices.Concat(token, state)
		if o.fault == "state before token" {
			h = slices.Concat(state, token)
		}
		keys = append(keys, o.turned(o.linear("layer.self_attn.k_proj", h), pos))
		values = append(values, o.linear("layer.self_attn.v_proj", h))
		x = slices.Clone(x)
		if o.fault == "no residual stream" {
			clear(x)
		}
		add(x, o.linear("layer.self_attn.o_proj", o.attention(o.turned(o.linear("layer.self_attn.q_proj", h), pos), keys, values)))
		h = o.norm("layer.post_attention_layernorm.weight", x)
		g, u := o.linear("layer.mlp.gate_proj", h), o.linear("layer.mlp.up_proj", h)
		for j, v := range g {
			g[j] = v / (1 + math.Exp(-v)) * u[j]
		}
		add(x, o.linear("layer.mlp.down_proj", g))
		last := o.norm("norm.weight", x)
		if o.fault == "the norm of a state fed back" {
			x = last
		}
		row := slices.Repeat([]float64{math.Inf(-1)}, c.Vocab)
		for j, v := range o.linear("lm_head", last) {
			row[o.file.Words[j]] = v
		}
		out = append(out, row)
	}
	return out
}

// turned turns every head of x.
func (o headOracle) turned(x []float64, pos int) (y []float64) {
	for d := o.file.Config.HeadDim; len(x) > 0; x = x[d:] {
		y = append(y, o.rope(x[:d], pos)...)
	}
	return y
}

// apart is the largest difference over the largest value, of the words that both
// have; +Inf where the words are others.
func apart(got [][]float32, want [][]float64) (worst float64) {
	for i, row := range want {
		var a []float32
		var b []float64
		for id, v := range row {
			if math.IsInf(v, -1) != math.IsInf(float64(got[i][id]), -1) {
				return math.Inf(1)
			} else if !math.IsInf(v, -1) {
				a, b = append(a, got[i][id]), append(b, v)
			}
		}
		worst = max(worst, far(a, b))
	}
	return worst
}

// A head over the target's states, and then over its own, is the float64 head; and
// each way of doing it wrong is far from that.
func TestHeadOracle(t *testing.T) {
	eachPair(t, func(t *testing.T, p pair) {
		tokens := ids(rand.New(rand.NewPCG(1, 1)), 30, p.m.config.Vocab)
		const real = 20
		got := p.seek(t, tokens[:real+1], 0, 7)
		for _, id := range tokens[real+1:] {
			got = append(got, p.feed(t, id))
		}
		if worst := apart(got, newHeadOracle(p, tokens, "").rows(tokens, real)); worst > p.rounding() {
			t.Errorf("differs from float64 by %.2g of the largest, want %g at most", worst, p.rounding())
		}
		for _, fault := range []string{"a state late", "fc of a state fed back", "the norm of a state fed back", "state before token", "no residual stream", "a position skipped"} {
			if d := apart(got, newHeadOracle(p, tokens, fault).rows(tokens, real)); d < 100*tolerance {
				t.Errorf("%s: differs from that by no more than %.2g", fault, d)
			}
		}
	})
}

// However pairs are divided over calls, and whatever was fed back and forgotten in
// between, logits are the same to the bit. States kept by mistake are seen.
func TestHeadSplits(t *testing.T) {
	eachPair(t, func(t *testing.T, p pair) {
		r := rand.New(rand.NewPCG(2, 2))
		tokens := ids(r, 2*block+9, p.m.config.Vocab)
		want := p.seek(t, tokens, 0, 1)
		for _, some := range []int{2, 5, block - 1, block, len(tokens)} {
			if err := p.head.Trim(0); err != nil {
				t.Fatal(err)
			}
			if got := p.seek(t, tokens, 0, some); !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
				t.Fatalf("%d at a time: not the same logits", some)
			}
		}
		for _, forget := range []bool{true, false} {
			if err := p.head.Trim(0); err != nil {
				t.Fatal(err)
			}
			same := true
			for n := 2; n < len(tokens); {
				n += 1 + r.IntN(4)
				n = min(n, len(tokens))
				from := p.head.Len()
				if n-1 <= from {
					continue
				}
				for i, row := range p.seek(t, tokens[:n], from, n) {
					same = same && slices.Equal(row, want[from+i])
				}
				for range r.IntN(4) {
					p.feed(t, model.Token(r.IntN(p.m.config.Vocab)))
				}
				if forget {
					if err := p.head.Trim(n - 1); err != nil {
						t.Fatal(err)
					}
				}
			}
			if same != forget {
				t.Errorf("fed-back states forgotten %v, logits the same %v", forget, same)
			}
		}
	})
}

// A target's session that keeps states is a session like any other.
func TestHeadTargetConforms(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	if err := modeltest.Conform(headTarget{p.m, p.h}, 3); err != nil {
		t.Error(err)
	}
}

type headTarget struct {
	*Model
	h *Head
}

func (m headTarget) NewSession() (model.Session, error) { return m.h.NewTarget(m.Model) }

// What does not fit is refused, and the message says what was wanted.
func TestBadHeads(t *testing.T) {
	c := targets["llama"]
	target := func(with func(*checkpoint.Config)) *Model {
		of := c
		with(&of)
		m, err := build(random(of, 3), how{k: fastest(), pool: cores()})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := target(func(*checkpoint.Config) {})
	first, _ := m.FirstLayers(2)
	small := tiny(func(*checkpoint.Config) {})
	other, _ := build(random(small, 3), how{k: fastest(), pool: cores()})
	h, err := NewHead(headFile(t, c, []int{1, 3}), m)
	if err != nil {
		t.Fatal(err)
	}
	open := func(m model.Model) error { _, err := NewHead(headFile(t, c, []int{1, 3}), m); return err }
	on := func(m model.Model) error { _, err := h.NewTarget(m); return err }
	for want, err := range map[string]error{
		"hidden size 64: want 32, that of tiny":                            open(target(func(c *checkpoint.Config) { c.Hidden = 32 })),
		"for a vocabulary of 90: want 91, that of tiny":                    open(target(func(c *checkpoint.Config) { c.Vocab = 91 })),
		"states after [1 3] layers: want at most 2, the layers of tiny":    open(target(func(c *checkpoint.Config) { c.Layers = 2 })),
		"its target is a modeltest.Hash: want a model of this backend":     open(modeltest.Hash{Vocab: 90}),
		"hidden size 48: want a multiple of 32":                            func() error { _, err := NewHead(headFile(t, small, []int{1}), other); return err }(),
		"target is a modeltest.Markov: want a model of this backend":       on(modeltest.Markov{}),
		"was opened for tiny: want no other target, and this is tiny":      on(target(func(*checkpoint.Config) {})),
		"tiny[:2]: taps after [1 3] layers: want ascending counts, 0 to 2": on(first),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if err := on(m.WithReal(80)); err != nil {
		t.Errorf("the same weights are refused: %v", err)
	}
}

// A call that fails says what was wrong and changes nothing.
func TestBadHeadCalls(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	tokens := ids(rand.New(rand.NewPCG(3, 3)), 12, 90)
	want := p.seek(t, tokens, 0, 12)
	if err := p.head.Trim(6); err != nil {
		t.Fatal(err)
	}
	states, _ := p.target.(model.HiddenTap).Hidden(6, 9)
	narrow, _ := p.m.NewTappedSession([]int{1, 2})
	rows(t, narrow.(tapped).session, tokens[:3], 1)
	two, _ := narrow.(model.HiddenTap).Hidden(0, 3)
	l, _ := p.head.ForwardStates(states, tokens[7:10], 1)
	if err := p.head.Trim(6); err != nil {
		t.Fatal(err)
	}
	forward := func(s model.States, tokens []model.Token, rows int) error {
		_, err := p.head.ForwardStates(s, tokens, rows)
		return err
	}
	for want, err := range map[string]error{
		"3 states for 2 tokens: want one each":       forward(states, tokens[:2], 1),
		"states are ref.alien: want those of this":   forward(alien{}, tokens[:2], 1),
		"states of 2 layers, 64 floats each: want 3": forward(two, tokens[:3], 1),
		"4 rows of 3 tokens":                         forward(states, tokens[:3], 4),
		"token 1 of 3 is id 90: want 0 to 89":        forward(states, []model.Token{1, 90, 1}, 1),
		"trim to 7: want 0 to 6":                     p.head.Trim(7),
		"states [3, 7): want positions 0 to 6":       func() error { _, err := p.head.Hidden(3, 7); return err }(),
		"row 1 of the logits: want 0 to 0":           l.Read(1, make([]float32, 90)),
		"30 floats for a row of the logits: want 90": l.Read(0, make([]float32, 30)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if got := p.seek(t, tokens, 6, 3); p.head.Len() != 11 || !slices.EqualFunc(got, want[6:], slices.Equal[[]float32]) {
		t.Error("a failed call changed the cache")
	}
	if err := errors.Join(p.head.Close(), p.head.Close()); err != nil {
		t.Error(err)
	}
	if err := forward(states, tokens[:3], 1); err == nil {
		t.Error("a closed session went forward")
	}
}

type alien struct{}

func (alien) Len() int { return 2 }

// The context is the target's.
func TestHeadContext(t *testing.T) {
	p := newPair(t, tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.Context = 64, 90, 10 }), shipped())
	p.seek(t, ids(rand.New(rand.NewPCG(4, 4)), 11, 90), 0, 20)
	states, _ := p.head.Hidden(9, 10)
	var full *model.ContextError
	if _, err := p.head.ForwardStates(states, []model.Token{1}, 1); !errors.As(err, &full) || *full != (model.ContextError{Cached: 10, Added: 1, Context: 10}) || p.h.Info().Context != 10 {
		t.Errorf("%v, context %d", err, p.h.Info().Context)
	}
}

// Drafting, feeding back and rolling back allocate nothing once the buffers are
// there.
func TestHeadSteadyStateAllocatesNothing(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	tokens := ids(rand.New(rand.NewPCG(5, 5)), 20, 90)
	p.seek(t, tokens, 0, 20)
	states, _ := p.target.(model.HiddenTap).Hidden(16, 19)
	own, _ := p.head.Hidden(18, 19)
	row := make([]float32, 90)
	step := func(s model.States, tokens []model.Token) {
		l, err := p.head.ForwardStates(s, tokens, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			t.Fatal(err)
		}
		if err := l.Read(0, row); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(20, func() {
		if err := p.head.Trim(16); err != nil {
			t.Fatal(err)
		}
		step(states, tokens[17:])
		step(own, tokens[:1])
		step(own, tokens[1:2])
	}); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func TestHeadInfo(t *testing.T) {
	p := newPair(t, targets["llama"], how{floats: true, k: fastest(), pool: cores()})
	p.h.target = p.m.WithReal(85)
	products := 64*3*64 + (6+2*2)*8*2*64 + 64*48 + 3*64*80 + 30*64
	want := model.Info{Name: "random-head", Vocab: 90, Real: 85, Layers: 1, Context: 150, Parameters: int64(products + 4*64)}
	got := p.h.Info()
	if got.WeightBytes < int64(4*products) || got.WeightBytes > int64(5*products) {
		t.Errorf("%d bytes a step, want %d and padding", got.WeightBytes, 4*products)
	}
	if got.WeightBytes = 0; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
