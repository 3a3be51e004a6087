package ref

import (
	"fmt"
	"math"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

func layerName(i int) string { return fmt.Sprintf("model.layers.%d.", i) }

// oracle is the same models in float64, as plainly as they can be said: the whole
// sequence at once, one position after the other. layers cuts it short.
type oracle struct {
	ck     *checkpoint.Checkpoint
	layers int
}

func (o oracle) tensor(name string) []float64 {
	t := o.ck.Tensors[name]
	rows, cols := t.Size()
	x := make([]float32, rows*cols)
	if err := t.Float32(x); err != nil {
		panic(err)
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// linear is W x, and a bias if there is one.
func (o oracle) linear(name string, x []float64) []float64 {
	w := o.tensor(name + ".weight")
	y := make([]float64, len(w)/len(x))
	for i := range y {
		for j, v := range x {
			y[i] += w[i*len(x)+j] * v
		}
	}
	if _, ok := o.ck.Tensors[name+".bias"]; ok {
		for i, b := range o.tensor(name + ".bias") {
			y[i] += b
		}
	}
	return y
}

func (o oracle) norm(name string, x []float64) []float64 {
	w, y, s := o.tensor(name), make([]float64, len(x)), 0.0
	for _, v := range x {
		s += v * v
	}
	for i, v := range x {
		y[i] = v / math.Sqrt(s/float64(len(x))+float64(o.ck.Config.NormEps)) * w[i]
	}
	return y
}

// rope turns a head by the model card's formulas.
func (o oracle) rope(x []float64, pos int) []float64 {
	c, half, y := o.ck.Config, len(x)/2, make([]float64, len(x))
	for i := range half {
		f := math.Pow(c.RopeTheta, -2*float64(i)/float64(len(x)))
		if s := c.RopeScaling; s != nil && s.Type == "linear" {
			f /= s.Factor
		} else if s != nil {
			wave, old := 2*math.Pi/f, float64(s.OriginalContext)
			smooth := (old/wave - s.LowFreqFactor) / (s.HighFreqFactor - s.LowFreqFactor)
			switch {
			case wave > old/s.LowFreqFactor:
				f /= s.Factor
			case wave > old/s.HighFreqFactor:
				f = (1-smooth)*f/s.Factor + smooth*f
			}
		}
		sin, cos := math.Sincos(float64(pos) * f)
		y[i], y[half+i] = x[i]*cos-x[half+i]*sin, x[half+i]*cos+x[i]*sin
	}
	return y
}

// rows gives the logits after every token, and the stream after every layer.
func (o oracle) rows(ids []model.Token) (logits [][]float64, states [][][]float64) {
	c := o.ck.Config
	n := c.Layers
	if o.layers > 0 {
		n = o.layers
	}
	keys, values := make([][][]float64, n), make([][][]float64, n)
	embed := o.tensor("model.embed_tokens.weight")
	for pos, id := range ids {
		x := append([]float64(nil), embed[int(id)*c.Hidden:][:c.Hidden]...)
		seen := [][]float64{append([]float64(nil), x...)}
		for i := range n {
			p := layerName(i)
			h := o.norm(p+"input_layernorm.weight", x)
			q, k := o.linear(p+"self_attn.q_proj", h), o.linear(p+"self_attn.k_proj", h)
			q, k = o.heads(p+"self_attn.q_norm.weight", q, pos), o.heads(p+"self_attn.k_norm.weight", k, pos)
			keys[i] = append(keys[i], k)
			values[i] = append(values[i], o.linear(p+"self_attn.v_proj", h))
			add(x, o.linear(p+"self_attn.o_proj", o.attention(q, keys[i], values[i])))
			h = o.norm(p+"post_attention_layernorm.weight", x)
			g, u := o.linear(p+"mlp.gate_proj", h), o.linear(p+"mlp.up_proj", h)
			for j, v := range g {
				g[j] = v / (1 + math.Exp(-v)) * u[j]
			}
			add(x, o.linear(p+"mlp.down_proj", g))
			seen = append(seen, append([]float64(nil), x...))
		}
		head := "lm_head"
		if c.TiedHead {
			head = "model.embed_tokens"
		}
		logits = append(logits, o.linear(head, o.norm("model.norm.weight", x)))
		states = append(states, seen)
	}
	return logits, states
}

// heads norms and turns every head of x.
func (o oracle) heads(norm string, x []float64, pos int) []float64 {
	var y []float64
	for d := o.ck.Config.HeadDim; len(x) > 0; x = x[d:] {
		head := x[:d]
		if o.ck.Config.QKNorm {
			head = o.norm(norm, head)
		}
		y = append(y, o.rope(head, pos)...)
	}
	return y
}

func (o oracle) attention(q []float64, keys, values [][]float64) []float64 {
	c, d := o.ck.Config, o.ck.Config.HeadDim
	out := make([]float64, len(q))
	for h := range c.Heads {
		of, sum, weights := h*c.KVHeads/c.Heads*d, 0.0, make([]float64, len(keys))
		for j := range keys {
			if c.SlidingWindow > 0 && len(keys)-1-j >= c.SlidingWindow {
				continue
			}
			for e := range d {
				weights[j] += q[h*d+e] * keys[j][of+e]
			}
			weights[j] = math.Exp(weights[j] / math.Sqrt(float64(d)))
			sum += weights[j]
		}
		for j, w := range weights {
			for e := range d {
				out[h*d+e] += w / sum * values[j][of+e]
			}
		}
	}
	return out
}

func add(x, y []float64) {
	for i := range x {
		x[i] += y[i]
	}
}
