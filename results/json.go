package results

import (
	"encoding/json"
	"io"
	"math"
)

// figureJSON is a figure in a file. What was not measured is null.
type figureJSON struct {
	Name       string   `json:"name"`
	Unit       string   `json:"unit"`
	Definition string   `json:"definition"`
	Arm        string   `json:"arm"`
	Domain     string   `json:"domain,omitempty"`
	Position   int      `json:"position,omitempty"`
	Value      *float64 `json:"value"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	N          int      `json:"n,omitempty"`
	Method     string   `json:"method,omitempty"` // of the interval
}

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	return json.Marshal(figureJSON{Name: f.Name, Unit: f.Unit, Definition: f.Text, Arm: f.Arm.ID, Domain: f.Domain, Position: f.Position,
		Value: finite(f.Value.Value), Low: finite(f.Value.Low), High: finite(f.Value.High), N: f.Value.N, Method: string(f.Value.Method)})
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// JSON writes every figure of the run as a list.
func (s Summary) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(s.Figures())
}
