package jinja

func (r *run) pickRunes(s string, at numbers) string {
	if at.step == 1 {
		return r.cut(s, at.start, at.start+at.n)
	}
	r.step(len(s) / 16)
	all, picked := []rune(s), make([]rune, at.n)
	for i := range picked {
		picked[i] = all[at.item(i)]
	}
	return r.text(string(picked))
}

// cut is s[from:to] in code points, 0 <= from <= to <= its length.
func (r *run) cut(s string, from, to int) string {
	r.step(len(s) / 16)
	begin, n := len(s), 0
	for i := range s {
		if n == from {
			begin = i
		}
		if n == to {
			return s[min(begin, i):i]
		}
		n++
	}
	return s[begin:]
}
