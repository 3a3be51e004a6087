package checkpoint

import "fmt"

// A DType is how a tensor's elements are stored.
type DType int

// The element types that are read. All but the first three are GGUF's blocks; MLX's
// mxfp4 becomes MXFP4.
const (
	F32 DType = iota
	F16
	BF16
	Q4_0
	Q4_1
	Q5_0
	Q5_1
	Q8_0
	Q4_K
	Q5_K
	Q6_K
	Q2_K
	Q3_K
	IQ4_NL
	IQ4_XS
	MXFP4
	// Affine is MLX's: a Tensor of it says in Groups how it is stored, and Block and
	// BlockBytes do not apply.
	Affine
)

// layouts has, of each DType, the elements and the bytes of a block, its number in
// a GGUF file, and the function that reads whole blocks.
var layouts = [...]struct {
	name         string
	block, bytes int
	gguf         uint32
	read         func(dst []float32, src []byte)
}{
	F32:  {"F32", 1, 4, 0, readF32},
	F16:  {"F16", 1, 2, 1, readF16},
	BF16: {"BF16", 1, 2, 30, readBF16},
	Q4_0: {"Q4_0", 32, 18, 2, readQ4_0},
	Q4_1: {"Q4_1", 32, 20, 3, readQ4_1},
	Q5_0: {"Q5_0", 32, 22, 6, readQ5_0},
	Q5_1: {"Q5_1", 32, 24, 7, readQ5_1},
	Q8_0: {"Q8_0", 32, 34, 8, readQ8_0},
	Q4_K: {"Q4_K", 256, 144, 12, readQ4_K},
	Q5_K: {"Q5_K", 256, 176, 13, readQ5_K},
	Q6_K: {"Q6_K", 256, 210, 14, readQ6_K},
	Q2_K: {"Q2_K", 256, 84, 10, readQ2_K},
	Q3_K: {"Q3_K", 256, 110, 11, readQ3_K},

	IQ4_NL: {"IQ4_NL", 32, 18, 20, readIQ4_NL},
	IQ4_XS: {"IQ4_XS", 256, 136, 23, readIQ4_XS},
	MXFP4:  {"MXFP4", 32, 17, 39, readMXFP4},
}

const have = "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS or MXFP4"

// String implements fmt.Stringer.
func (d DType) String() string {
	if d == Affine {
		return affineMode
	}
	if d < 0 || int(d) >= len(layouts) {
		return fmt.Sprintf("DType(%d)", int(d))
	}
	return layouts[d].name
}

// Block is the number of elements that are stored together: 1, 32 or 256. A row
// is a whole number of blocks.
func (d DType) Block() int { return layouts[d].block }

// BlockBytes is the size of a block.
func (d DType) BlockBytes() int { return layouts[d].bytes }

// GGUFType is the number that a GGUF file gives d.
func (d DType) GGUFType() uint32 { return layouts[d].gguf }

// unreadGGUF names the types of a GGUF file that are not read, so that the error
// can.
var unreadGGUF = map[uint32]string{
	9: "Q8_1", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 21: "IQ3_S", 22: "IQ2_S",
	24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 34: "TQ1_0", 35: "TQ2_0", 40: "NVFP4", 41: "Q1_0",
}

func ggufType(n uint32) (DType, bool) {
	for d, l := range layouts {
		if l.gguf == n {
			return DType(d), true
		}
	}
	return 0, false
}
