package jsonmask

// lateNames are sets of the names of an object that places have no bits for, numbered
// as they are met; set 0 is empty.
type lateNames struct {
	sets  []string // bits
	index map[string]int32
}

// seen reports whether name i was.
func (o *object) seen(at place, i int) bool {
	if i < placeNames {
		return at.has(i)
	}
	i -= placeNames
	return at.late > 0 && o.late.sets[at.late][i>>3]>>(i&7)&1 == 1
}

// see notes name i in a place.
func (o *object) see(at *place, i int) {
	if i < placeNames {
		at.see(i)
		return
	}
	l := &o.late
	if l.index == nil {
		empty := string(make([]byte, (len(o.names)-placeNames+7)>>3))
		l.sets, l.index = []string{empty}, map[string]int32{empty: 0}
	}
	i -= placeNames
	bits := []byte(l.sets[at.late])
	bits[i>>3] |= 1 << (i & 7)
	n, ok := l.index[string(bits)]
	if !ok {
		n = int32(len(l.sets))
		l.sets, l.index[string(bits)] = append(l.sets, string(bits)), n
	}
	at.late = n
}
