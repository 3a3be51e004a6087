package ref

import "math/big"

// exactFMA is a*b + c, rounded once to float32.
func exactFMA(a, b, c float32) float32 {
	p := new(big.Float).SetPrec(600).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
	f, _ := p.Add(p, big.NewFloat(float64(c))).Float32()
	return f
}
