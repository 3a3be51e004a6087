package ref

import "unsafe"

// blockWords is the pairs of columns that meet a lane of a word: 2j and 2j+1 have
// columns 4j and 4j+2, then 4j+1 and 4j+3, 16 bits each.
const blockWords = blockCols / 4

func plainWords(dst []uint64, q *[blockCols]int8) {
	for j := range dst[:blockWords] {
		c := q[4*j:][:4]
		dst[j] = uint64(uint16(c[0])) | uint64(uint16(c[2]))<<16 | uint64(uint16(c[1]))<<32 | uint64(uint16(c[3]))<<48
	}
}

// plainSums is goSums in the vectors that every amd64 has.
func plainSums(s *[packRows]int32, f format, w []byte, x []uint64) {
	_, _ = w[f.words()*wordRow-1], x[blockWords-1]
	at := (*uint32)(unsafe.Pointer(unsafe.SliceData(x)))
	if f.words() == 4 {
		sseNibbles(s, unsafe.SliceData(w), at)
	} else {
		sseBytes(s, unsafe.SliceData(w), at)
	}
}

// plainFinish is goFinish, four rows at once. signedBytes have 0 for m.
func plainFinish(y *[packRows]float32, s *[packRows]int32, f format, d, m *[packRows]float32, of blockScale) {
	if f == signedBytes {
		sseFinish(y, s, d, m, of.d, 0, of.offset)
	} else {
		sseFinish(y, s, d, m, of.d, of.sum, 0)
	}
}

//go:noescape
func sseNibbles(s *[packRows]int32, w *byte, x *uint32)

//go:noescape
func sseBytes(s *[packRows]int32, w *byte, x *uint32)

//go:noescape
func sseFinish(y *[packRows]float32, s *[packRows]int32, d, m *[packRows]float32, e, f float32, offset int32)
