package parity

// Made is what a report was made by and with. The zero value is of a report that does not
// say.
type Made struct {
	Revision string `json:"revision"`      // of this program, "" where unknown
	MLX      string `json:"mlx,omitempty"` // what the engine mlx computes with, where it takes part
	Peer     string `json:"peer"`          // what mlx-lm computes with
}

// String implements fmt.Stringer.
func (m Made) String() string {
	revision := m.Revision
	if revision == "" {
		revision = "an unknown revision"
	}
	s := "made by " + revision
	for _, part := range []string{m.Peer, m.MLX} {
		if part != "" {
			s += "; " + part
		}
	}
	return s
}

// notes are m as a note of a table, if it says anything.
func (m Made) notes() []string {
	if m == (Made{}) {
		return nil
	}
	return []string{m.String()}
}
