package checkpoint_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

var quantised = []checkpoint.DType{
	checkpoint.Q4_0, checkpoint.Q4_1, checkpoint.Q5_0, checkpoint.Q5_1, checkpoint.Q8_0,
	checkpoint.Q4_K, checkpoint.Q5_K, checkpoint.Q6_K, checkpoint.Q2_K, checkpoint.Q3_K,
	checkpoint.IQ4_NL, checkpoint.IQ4_XS, checkpoint.MXFP4,
}

type vector struct{ Data, Values, SHA256 string }

func vectors(t *testing.T) map[string]vector {
	b, err := os.ReadFile("testdata/dequantise.json")
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]vector
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBlocks holds every block type against the reference's values, to the bit,
// whole and row by row.
func TestBlocks(t *testing.T) {
	golden := vectors(t)
	for _, d := range quantised {
		data, err := hex.DecodeString(golden[d.String()].Data)
		if err != nil || len(data) == 0 {
			t.Fatalf("%v: no vector (%v)", d, err)
		}
		values, err := hex.DecodeString(golden[d.String()].Values)
		if err != nil {
			t.Fatal(err)
		}
		rows := len(data) / d.BlockBytes()
		tensor := checkpoint.Tensor{Name: d.String(), Type: d, Shape: []int{rows, d.Block()}, Data: data}
		all := make([]float32, rows*d.Block())
		if err := tensor.Float32(all); err != nil {
			t.Fatal(err)
		}
		last := make([]float32, d.Block())
		if err := tensor.Rows(rows-1, rows, last); err != nil {
			t.Fatal(err)
		}
		for i, got := range all {
			want := math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
			if math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("%v: value %d is %g, want %g", d, i, got, want)
			}
			if j := i - (rows-1)*d.Block(); j >= 0 && last[j] != want {
				t.Fatalf("%v: value %d of the last row is %g, want %g", d, j, last[j], want)
			}
		}
	}
}

// TestHalves reads every number that two bytes can store.
func TestHalves(t *testing.T) {
	golden := vectors(t)
	for d, inf := range map[checkpoint.DType]uint16{checkpoint.F16: 0x7c00, checkpoint.BF16: 0x7f80} {
		var data []byte
		for u := range 1 << 16 {
			if uint16(u)&0x7fff <= inf {
				data = binary.LittleEndian.AppendUint16(data, uint16(u))
			}
		}
		dst := make([]float32, len(data)/2)
		tensor := checkpoint.Tensor{Type: d, Shape: []int{len(dst)}, Data: data}
		if err := tensor.Float32(dst); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(checkpointtest.Encode(checkpoint.F32, dst))
		if got, want := hex.EncodeToString(sum[:]), golden[d.String()].SHA256; got != want {
			t.Errorf("%v: the values' hash is %s, want %s", d, got, want)
		}
		if inf == 0x7c00 { // the writer's rounding undoes the reading
			for i, x := range dst {
				if want := binary.LittleEndian.Uint16(data[2*i:]); !math.IsInf(float64(x), 0) && checkpointtest.Half(x) != want {
					t.Fatalf("Half(%g) = %04x, want %04x", x, checkpointtest.Half(x), want)
				}
			}
		}
	}
}

// TestEncode holds the writer's rounding against what its blocks can tell apart.
func TestEncode(t *testing.T) {
	worst := map[checkpoint.DType]float64{
		checkpoint.F32: 0, checkpoint.F16: 2e-3, checkpoint.BF16: 1.6e-2, checkpoint.Q8_0: .02, checkpoint.Q6_K: .07,
		checkpoint.Q5_K: .16, checkpoint.Q5_1: .12, checkpoint.Q5_0: .15, checkpoint.Q4_K: .25, checkpoint.Q4_1: .25, checkpoint.Q4_0: .35,
		checkpoint.Q2_K: 1, checkpoint.Q3_K: .75, checkpoint.IQ4_NL: .37, checkpoint.IQ4_XS: .37, checkpoint.MXFP4: .9,
	}
	values := checkpointtest.New(checkpointtest.Wide(checkpointtest.Small("llama")), 3).Tensor("model.embed_tokens.weight").Values
	for d, most := range worst {
		got := make([]float32, len(values))
		tensor := checkpoint.Tensor{Type: d, Shape: []int{len(values)}, Data: checkpointtest.Encode(d, values)}
		if err := tensor.Float32(got); err != nil {
			t.Fatal(err)
		}
		off := 0.0
		for i := range got {
			off = max(off, math.Abs(float64(got[i]-values[i])))
		}
		if off > most {
			t.Errorf("%v: off by %.3g, want at most %.3g", d, off, most)
		}
		t.Logf("%v: off by %.3g", d, off)
	}
}
