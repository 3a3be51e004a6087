package sampler

import "fmt"

// An Order names which probabilities the filters judge, what a tie is, and whose
// tokens are penalised. The two give different supports: of the logits 3, 2, 1
// at temperature 0.5, top_p 0.8 keeps {0} in one and {0, 1} in the other.
type Order string

const (
	// TemperatureFirst takes the softmax at the temperature, then top-p, min-p and
	// top-k of it. Equal probabilities rank by id, the lowest first, and leave in
	// the reverse order, so that top_k = 1 and a small top_p equal argmax. The
	// penalty window holds generated tokens only.
	TemperatureFirst Order = "temperature-first"
	// MLXLM is what mlx-lm 0.32 does: top-p, min-p and top-k judge the softmax at
	// temperature 1, and the temperature applies to the draw. All that ties with
	// the last token top-p keeps stays. The penalty window counts prompt tokens.
	MLXLM Order = "mlx-lm"
)

// Orders lists the orders by name.
func Orders() []Order { return []Order{TemperatureFirst, MLXLM} }

func (o Order) validate() error {
	switch o {
	case "", TemperatureFirst, MLXLM:
		return nil
	}
	return fmt.Errorf("sampler: order %q, want one of %q", string(o), Orders())
}

// window is the number of trailing tokens that o penalises.
func (o Order) window(at Position, n int) int {
	if o != MLXLM {
		n = min(n, at.Generated)
	}
	return min(n, len(at.History))
}

// windowRule is how a fingerprint names what window does.
func (o Order) windowRule() string {
	if o == MLXLM {
		return "all"
	}
	return "generated"
}
