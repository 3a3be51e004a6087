package ref

import "encoding/binary"

// goSums sums several products of a word with one multiplication: of
// (a0 + a1 z + ..) * (b0 + b1 z + ..) the term of z^k, the highest, has the sum of
// a_i b_(k-i). z is 2^16 for four weights of 4 bits, 2^32 for two of 8. The lower
// terms are signed, so a bias keeps what they borrow from the highest away.
const (
	goBlockWords = 24 // of a vector's block: 8 for nibbles, then 16 for bytes
	nibbleMask   = 0x000f_000f_000f_000f
	nibbleBias   = 1<<47 | 1<<31 | 1<<15
	nibbleShift  = 48
	byteMask     = 0x0000_00ff_0000_00ff
	byteBias     = 1 << 31
	byteShift    = 32
)

// goWords packs a block of a vector for goSums: the words that meet words j and j+1
// of a row, shifted by 0, 4, 8 and 12 bits or by 0, 8, 16 and 24.
func goWords(dst []uint64, q *[blockCols]int8) {
	_ = dst[goBlockWords-1]
	for i := range 8 {
		j, shift := i/4*2, i%4
		c := 8*j + shift%2*4 + shift/2
		dst[i] = uint64(int64(q[c+10]) + int64(q[c+8])<<16 + int64(q[c+2])<<32 + int64(q[c])<<48)
	}
	for i := range 16 {
		c := 8*(i/4) + i%4
		dst[8+i] = uint64(int64(q[c+4]) + int64(q[c])<<32)
	}
}

// goSums writes a block's sums of 16 rows.
func goSums(s *[packRows]int32, f format, w []byte, x []uint64) {
	if f.words() == 4 {
		nibbleSums(s, w, (*[8]uint64)(x))
	} else {
		byteSums(s, w, (*[16]uint64)(x[8:]))
	}
}

// nibbleSums sums 16 rows of four words. A term stays within 16 bits over four
// multiplications: 4*4*15*127 is 30480.
func nibbleSums(s *[packRows]int32, w []byte, x *[8]uint64) {
	le := binary.LittleEndian
	w = w[:4*wordRow]
	for r := range s {
		a := uint64(le.Uint32(w[4*r:])) | uint64(le.Uint32(w[4*r+wordRow:]))<<32
		b := uint64(le.Uint32(w[4*r+2*wordRow:])) | uint64(le.Uint32(w[4*r+3*wordRow:]))<<32
		t := nibbleBias + a&nibbleMask*x[0] + a>>4&nibbleMask*x[1] + a>>8&nibbleMask*x[2] + a>>12&nibbleMask*x[3]
		u := nibbleBias + b&nibbleMask*x[4] + b>>4&nibbleMask*x[5] + b>>8&nibbleMask*x[6] + b>>12&nibbleMask*x[7]
		s[r] = int32(int64(t)>>nibbleShift) + int32(int64(u)>>nibbleShift)
	}
}

// byteSums sums 16 rows of eight words.
func byteSums(s *[packRows]int32, w []byte, x *[16]uint64) {
	le := binary.LittleEndian
	w = w[:8*wordRow]
	for r := range s {
		t := uint64(byteBias)
		for j := 0; j < 4; j++ {
			a := uint64(le.Uint32(w[4*r+2*j*wordRow:])) | uint64(le.Uint32(w[4*r+2*j*wordRow+wordRow:]))<<32
			t += a&byteMask*x[4*j] + a>>8&byteMask*x[4*j+1] + a>>16&byteMask*x[4*j+2] + a>>24&byteMask*x[4*j+3]
		}
		s[r] = int32(int64(t) >> byteShift)
	}
}
