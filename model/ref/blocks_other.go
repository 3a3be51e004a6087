//go:build !amd64

package ref

const blockWords = goBlockWords

func plainWords(dst []uint64, q *[blockCols]int8) { goWords(dst, q) }

func plainSums(s *[packRows]int32, f format, w []byte, x []uint64) { goSums(s, f, w, x) }

func plainFinish(y *[packRows]float32, s *[packRows]int32, f format, d, m *[packRows]float32, of blockScale) {
	goFinish(y, s, f, d, m, of)
}
