package sampler

import "foretoken/model"

// A lentRow is a row that lies in memory and is not copied: what penalties change in
// it is put back.
type lentRow struct {
	row    []float32
	before []savedLogit
}

type savedLogit struct {
	token model.Token
	logit float32
}

// penaliseInPlace applies bias and penalties to a lent row and remembers what stood there.
func (b *Builder) penaliseInPlace(row []float32, plan *model.Plan) []float32 {
	b.lent.row = row
	for _, x := range plan.Bias {
		b.lent.before = append(b.lent.before, savedLogit{x.Token, row[x.Token]})
	}
	for _, x := range plan.Seen {
		b.lent.before = append(b.lent.before, savedLogit{x.Token, row[x.Token]})
	}
	penalise(row, plan)
	return row
}

// restoreLent puts back what stood in a lent row, if one is out.
func (b *Builder) restoreLent() {
	for _, x := range b.lent.before {
		b.lent.row[x.token] = x.logit
	}
	b.lent = lentRow{before: b.lent.before[:0]}
}
