package jsonmask

// A byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte) { s[b>>6] |= 1 << (b & 63) }

func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 == 1 }

func (s *byteSet) union(t byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

func setOf(bytes string) byteSet {
	var s byteSet
	for i := range len(bytes) {
		s.add(bytes[i])
	}
	return s
}

// everyByte is for terminals that look closer later.
var everyByte = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
