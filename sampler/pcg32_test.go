package sampler

import "testing"

// The generator's published first numbers (pcg32_srandom_r, seed 42, stream 54).
func TestPCG32Golden(t *testing.T) {
	r := NewPCG32(42, 54)
	for i, want := range []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e} {
		if got := r.Uint32(); got != want {
			t.Errorf("number %d is %08x, want %08x", i, got, want)
		}
	}
}

// Streams, seed and the map to [0, 1) are part of every result and never change.
func TestStreamsGolden(t *testing.T) {
	want := map[uint64]uint32{TargetStream: 0xabbc11d1, DraftStream: 0x02a0cb7c, CoinStream: 0xa560f454}
	for stream, first := range want {
		if got := NewStream(DefaultSeed, stream).Uint32(); got != first {
			t.Errorf("stream %d begins with %08x, want %08x", stream, got, first)
		}
	}
	r, s := NewPCG32(DefaultSeed, TargetStream), NewPCG32(DefaultSeed, TargetStream)
	for range 1000 {
		u, x := r.Uint32(), s.Float32()
		if x != float32(u>>8)*0x1p-24 || x < 0 || x >= 1 {
			t.Fatalf("%08x gives %v, want its upper 24 bits", u, x)
		}
	}
}

func TestAtIsNext(t *testing.T) {
	a, b := NewPCG32(7, 0), NewPCG32(7, 0)
	for n := range 1000 {
		if got, want := a.At(n), b.Float32(); got != want {
			t.Fatalf("number %d is %v, want %v", n, got, want)
		}
	}
	if got, want := b.At(5), a.At(1005); got != want {
		t.Errorf("number 5 from 1000 is %v, want number 1005, %v", got, want)
	}
}
