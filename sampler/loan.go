package sampler

import "foretoken/model"

// A loan is a row that lies in memory and is not copied: what penalties change in
// it is put back.
type loan struct {
	row []float32
	was []saved
}

type saved struct {
	token model.Token
	logit float32
}

// borrow applies bias and penalties to a lent row and remembers what stood there.
func (b *Builder) borrow(row []float32, plan *model.Plan) []float32 {
	b.loan.row = row
	for _, x := range plan.Bias {
		b.loan.was = append(b.loan.was, saved{x.Token, row[x.Token]})
	}
	for _, x := range plan.Seen {
		b.loan.was = append(b.loan.was, saved{x.Token, row[x.Token]})
	}
	penalise(row, plan)
	return row
}

// giveBack restores a lent row, if one is out.
func (b *Builder) giveBack() {
	for _, x := range b.loan.was {
		b.loan.row[x.token] = x.logit
	}
	b.loan = loan{was: b.loan.was[:0]}
}
