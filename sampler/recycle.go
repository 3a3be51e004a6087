package sampler

// Recycle says that no distribution b has built is used any more: the memory of
// those that cover the vocabulary serves the next ones. A decoder says so once a
// round. Beside the heap of a model's weights a collection is rare, and every fresh
// row would cost more in new pages than in arithmetic.
func (b *Builder) Recycle() {
	b.host.rows.kept, b.host.rows.used = true, 0
}

// rows are those lent to distributions since the last Recycle, then those free.
type rows struct {
	all  []Distribution
	used int
	kept bool // Recycle is called, so that there is a use in keeping them
}

// take returns a distribution over n ids, to be filled: its weights and sums have
// any value, and its total is 0.
func (r *rows) take(n int) Distribution {
	if r.used < len(r.all) && len(r.all[r.used].dense) == n {
		r.used++
		return r.all[r.used-1]
	}
	row := Distribution{dense: make([]float32, n), blocks: make([]float64, (n+blockLen-1)/blockLen)}
	if r.kept {
		r.all = append(r.all[:r.used], row)
		r.used++
	}
	return row
}
