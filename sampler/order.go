package sampler

import "fmt"

// An Order names which probabilities the filters judge, in which order they cut, how they
// treat ties, and whose tokens are penalised. Orders give different supports: of the logits
// 3, 2, 1 at temperature 0.5, top_p 0.8 keeps {0} in one and {0, 1} in another; of the
// probabilities .1, .2, .3, .4, top_k 2 with top_p .5 keeps one token where top-k is first
// and two where top-p is.
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
	// Transformers is what transformers' generation and vLLM do: temperature, then top-k,
	// then top-p of what top-k leaves, then min-p. All that ties with the last token
	// top-k keeps stays. The penalty window counts prompt tokens.
	Transformers Order = "transformers"
	// LlamaCPP is llama.cpp's default chain without its typical-p, which is off: top-k, then
	// top-p of what top-k leaves, then min-p, all at temperature 1; the temperature
	// applies to the draw. The penalty window counts prompt tokens.
	LlamaCPP Order = "llama.cpp"
)

// Orders lists the orders by name.
func Orders() []Order { return []Order{TemperatureFirst, MLXLM, Transformers, LlamaCPP} }

// About says in a line where each filter stands in o.
func (o Order) About() string {
	return map[Order]string{
		TemperatureFirst: "temperature, top-p, min-p, top-k",
		MLXLM:            "top-p, min-p, top-k, temperature",
		Transformers:     "temperature, top-k, top-p, min-p (also vLLM's)",
		LlamaCPP:         "top-k, top-p, min-p, temperature",
	}[o.named()]
}

// named is o, or the default where it is "".
func (o Order) named() Order {
	if o == "" {
		return TemperatureFirst
	}
	return o
}

func (o Order) validate() error {
	for _, known := range Orders() {
		if o.named() == known {
			return nil
		}
	}
	return fmt.Errorf("sampler: order %q, want one of %q", string(o), Orders())
}

// temperatureLast reports an order whose filters judge the softmax at temperature 1.
func (o Order) temperatureLast() bool { return o == MLXLM || o == LlamaCPP }

// topKFirst reports an order whose top-p judges what top-k leaves.
func (o Order) topKFirst() bool { return o == Transformers || o == LlamaCPP }

// window is the number of trailing tokens that o penalises.
func (o Order) window(at Position, n int) int {
	if o.named() == TemperatureFirst {
		n = min(n, at.Generated)
	}
	return min(n, len(at.History))
}

// windowRule is how a fingerprint names what window does.
func (o Order) windowRule() string {
	if o.named() == TemperatureFirst {
		return "generated"
	}
	return "all"
}
