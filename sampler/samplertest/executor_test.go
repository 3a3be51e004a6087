package samplertest

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"foretoken/model"
)

// A sorter executes plans in float64 by full sorts. fault plants one error.
type sorter struct {
	model.Row
	fault string
}

func (s sorter) Execute(_ int, p *model.Plan) (model.Support, error) {
	z := make([]float64, p.Real)
	for i := range z {
		if z[i] = float64(s.Row[i]); z[i] != z[i] || z[i] > math.MaxFloat32 {
			return model.Support{}, &model.LogitError{Token: model.Token(i), Value: s.Row[i]}
		}
		if p.Mask != nil && !p.Mask.Has(model.Token(i)) && s.fault != "mask" {
			z[i] = math.Inf(-1)
		}
	}
	s.edit(z, p)
	rank := make([]int, p.Real)
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(z[b], z[a]) })
	if math.IsInf(z[rank[0]], -1) {
		return model.Support{}, nil
	}
	n := 1
	if p.Temperature > 0 {
		n = s.prefix(z, rank, p)
	}
	kept := slices.Sorted(slices.Values(rank[:n]))
	var out model.Support
	sum := 0.0
	for _, i := range kept {
		w := 1.0
		if t := p.Temperature; t > 0 {
			if s.fault == "draw" {
				t = p.FilterTemperature
			}
			w = math.Exp((z[i] - z[rank[0]]) / float64(t))
		}
		sum += w
		out.Tokens, out.Probs = append(out.Tokens, model.Token(i)), append(out.Probs, w)
	}
	for i := range out.Probs {
		out.Probs[i] /= sum
	}
	return out, nil
}

func (s sorter) edit(z []float64, p *model.Plan) {
	if s.fault != "bias" {
		for _, b := range p.Bias {
			z[b.Token] += float64(b.Value)
		}
	}
	for _, c := range p.Seen {
		l, n := float32(z[c.Token]), float32(c.N) // as a tie is one of float32
		if s.fault == "count" {
			n = 1
		}
		if l < 0 && s.fault != "sign" {
			l *= p.Repetition
		} else {
			l /= p.Repetition
		}
		l -= p.Presence
		z[c.Token] = float64(l - p.Frequency*n)
	}
}

func (s sorter) prefix(z []float64, rank []int, p *model.Plan) int {
	top, total, head, strict := z[rank[0]], 0.0, 0.0, 0.0
	t := float64(p.FilterTemperature)
	if s.fault == "order" {
		t = float64(p.Temperature)
	}
	for _, l := range z {
		total += math.Exp((l - top) / t)
	}
	for n, i := range rank {
		if n > 0 && (z[i] != z[rank[n-1]] || !p.KeepTies || s.fault == "ties") {
			strict = head
		}
		w := math.Exp((z[i] - top) / t)
		if n > 0 && (w == 0 || w < float64(p.MinP) || p.TopP > 0 && strict >= float64(p.TopP)*total ||
			p.TopK > 0 && n >= p.TopK && s.fault != "top_k") {
			return n
		}
		head += w
	}
	return len(rank)
}

// The kit accepts an executor that does what a plan says, and no other.
func TestCheckPlanExecutor(t *testing.T) {
	for _, fault := range []string{"", "mask", "bias", "count", "sign", "order", "ties", "top_k", "draw"} {
		err := CheckPlanExecutor(func(row []float32) model.Logits { return sorter{row, fault} })
		if (err == nil) != (fault == "") {
			t.Errorf("fault %q: %v", fault, err)
		}
	}
}

// So does the comparison on hard rows.
func TestCompareExecutor(t *testing.T) {
	for _, fault := range []string{"", "mask", "bias", "count", "sign", "order", "ties", "top_k", "draw"} {
		got, err := CompareExecutor(func(row []float32) model.Logits { return sorter{row, fault} }, 200, 20, 1)
		if (err == nil) != (fault == "") {
			t.Errorf("fault %q: %v, %v", fault, got, err)
		}
	}
}
