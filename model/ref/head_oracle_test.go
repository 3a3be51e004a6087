package ref

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

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
