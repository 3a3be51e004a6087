package llama

import (
	"time"

	"foretoken/mlx"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// RowsOf makes logits of rows that no forward made. free gives them back.
func RowsOf(e *mlx.Engine, d mlx.DType, rows ...[]float32) (l model.Logits, free func()) {
	vocab := len(rows[0])
	s := &session{m: &Model{engine: e, config: checkpoint.Config{Name: "rows", Vocab: vocab}, ids: vocab}}
	s.out.s = s
	var flat []float32
	for _, r := range rows {
		flat = append(flat, r...)
	}
	err := e.Run(func(g *mlx.Graph) {
		s.out.set(g, []mlx.Array{g.Keep(g.AsType(g.FromFloats(flat, len(rows), vocab), d))}, len(rows))
	})
	if err != nil {
		panic(err)
	}
	return chooser{&s.out}, func() { s.Close() }
}

// BytesRead is what left the device for l.
func BytesRead(l model.Logits) int64 { return l.(chooser).s.read }

// Begun reports whether a session, or a head's, has begun a step that was not asked for.
func Begun(s any) bool {
	if h, ok := s.(*headSession); ok {
		s = h.s
	}
	return s.(*session).ahead.out.rows > 0
}

// Build makes the graph of a step of one token, and says what time of its thread's that
// took, before it is computed.
func Build(ms model.Session, t model.Token) (took time.Duration, err error) {
	s := ms.(*session)
	err = s.m.engine.Run(func(g *mlx.Graph) {
		start := threadTime()
		scores := s.forward(g, s.n, indices(g, []model.Token{t}), 1, 1)
		took = threadTime() - start
		g.Keep(scores)
		g.Eval(scores)
		g.Free(scores)
	})
	return took, err
}
