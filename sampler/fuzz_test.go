package sampler

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"foretoken/model"
)

// Any row and any configuration: a distribution of sum 1 inside the mask, whose
// every draw has a probability, or a typed error; never a panic.
func FuzzSamplingDistribution(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64}, float32(.8), float32(.9), float32(.05), 40, float32(1.1), float32(.5), float32(2), uint64(0), false)
	f.Add([]byte{0, 0, 192, 127, 0, 0, 128, 127}, float32(1), float32(0), float32(1), 1, float32(1), float32(0), float32(0), uint64(3), true)
	f.Add([]byte{0, 0, 128, 255, 0, 0, 128, 255}, float32(0), float32(1), float32(0), 0, float32(2), float32(0), float32(-5), uint64(1<<63), false)
	f.Add([]byte{255, 255, 127, 127, 255, 255, 127, 255, 1, 0, 0, 0}, float32(1e-44), float32(.5), float32(.5), 2, float32(1e-30), float32(-3e38), float32(3e38), uint64(0), true)
	f.Fuzz(func(t *testing.T, data []byte, temperature, topP, minP float32, topK int, repetition, presence, bias float32, mask uint64, mlx bool) {
		row := make([]float32, len(data)/4)
		for i := range row {
			row[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		c := NewConfig(temperature)
		c.TopP, c.MinP, c.TopK = topP, minP, topK
		c.Penalties.Repetition, c.Penalties.Presence = repetition, presence
		c.LogitBias = map[model.Token]float32{1: bias}
		if mlx {
			c.Order = MLXLM
		}
		b, err := NewBuilder(c, len(row), len(row))
		if err != nil {
			return
		}
		e := everyOther(mask)
		at := Position{History: []model.Token{0, 2, 2, 7}, Generated: 3, Engine: e}
		d, err := b.SamplingDistribution(logits(row), 0, at)
		if err != nil {
			var bad *LogitError
			if !errors.Is(err, ErrNoToken) && !errors.As(err, &bad) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		sum := 0.0
		for x, p := range d.All() {
			if int(x) >= len(row) || mask != 0 && !e.allows(int(x)) || !(p > 0) {
				t.Fatalf("token %d has %v", x, p)
			}
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("probabilities sum to %v", sum)
		}
		for _, u := range []float32{0, .5, 1 - 0x1p-24} {
			if x := d.Draw(u); !(d.Prob(x) > 0) {
				t.Fatalf("drew %d, which has no probability", x)
			}
		}
	})
}
