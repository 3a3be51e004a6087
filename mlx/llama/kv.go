package llama

import (
	"fmt"

	"foretoken/mlx"
	"foretoken/model/checkpoint"
)

// kv is how a cache holds keys and values: as they are, or in groups of a head, as
// mlx-lm's kv_bits does it.
type kv struct {
	bits, group int // 0 where they are as they are
	parts       []kvPart
}

// A kvPart is an array of a layer's keys or values, [1, KVHeads, room, width].
type kvPart struct {
	dtype mlx.DType
	width int
}

// newKV refuses a model whose heads are no whole groups.
func newKV(c checkpoint.Config, d mlx.DType, bits int) (kv, error) {
	if bits == 0 {
		return kv{parts: []kvPart{{d, c.HeadDim}}}, nil
	}
	group := 64
	if c.HeadDim%group != 0 {
		group = 32
	}
	switch {
	case bits != 4 && bits != 8:
		return kv{}, fmt.Errorf("a cache of %d bits: want 4 or 8", bits)
	case c.HeadDim%group != 0:
		return kv{}, fmt.Errorf("a cache of %d bits for heads of %d: want a multiple of 32, the least group of it", bits, c.HeadDim)
	}
	perGroup := kvPart{d, c.HeadDim / group}
	return kv{bits, group, []kvPart{{mlx.Uint32, c.HeadDim * bits / 32}, perGroup, perGroup}}, nil
}

// pack is x, [1, KVHeads, n, HeadDim], in the parts that are held.
func (k kv) pack(g *mlx.Graph, x mlx.Array) held {
	if k.bits == 0 {
		return held{x}
	}
	q, scales, biases := g.Quantize(x, k.group, k.bits)
	return held{q, scales, biases}
}

// attention is softmax(scale q k^T) v over what is held.
func (k kv) attention(p *pass, q mlx.Array, keys, values held, scale float32) mlx.Array {
	if k.bits == 0 {
		return p.g.Attention(q, keys[0], values[0], scale, p.n, p.mask)
	}
	c, packed := p.m.config, func(h held) mlx.Packed {
		return mlx.Packed{Q: h[0], Scales: h[1], Biases: h[2], Group: k.group, Bits: k.bits}
	}
	return p.g.PackedAttention(q, packed(keys), packed(values), scale, c.Heads, c.KVHeads, p.n, c.HeadDim, p.mask)
}
