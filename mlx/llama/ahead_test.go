//go:build mlx

package llama_test

import (
	"slices"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// Steps that are begun ahead give, to the bit, what steps give: where they are asked
// for, where another token comes, and where the cache was rolled back meanwhile.
func TestPipelined(t *testing.T) {
	e := overlapping(t)
	for _, name := range []string{"llama", "window of 7"} {
		for _, o := range []llama.Options{{}, {Choose: true}} {
			m, err := llama.New(e, write(t, families[name], checkpoint.F32), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			plain, piped := session(t, m), session(t, m)
			const steps = 90
			piped.(model.Pipelined).Pipeline(steps + 1)
			token, begun := model.Token(3), 0
			for i := range steps {
				if i%17 == 16 {
					token = model.Token(i % 64) // another than the best
				}
				if i%13 == 12 {
					for _, s := range []model.Session{plain, piped} {
						if err := s.Trim(s.Len() - i%3); err != nil {
							t.Fatal(err)
						}
					}
				}
				want, got := step(t, plain, token), step(t, piped, token)
				if !slices.Equal(want, got) {
					t.Fatalf("%s: step %d has other logits", name, i)
				}
				if llama.Begun(piped) {
					begun++
				}
				token = model.Token(slices.Index(want, slices.Max(want)))
			}
			if begun < steps*3/4 {
				t.Errorf("%s: %d steps of %d were begun ahead", name, begun, steps)
			}
		}
	}
}

// A head that is fed back gives the same, to the bit, where its steps are begun ahead:
// after its own best words, after others, after states of the target and rollbacks.
func TestHeadPipelined(t *testing.T) {
	c := families["llama"]
	m := loadedOn(t, overlapping(t), write(t, c, checkpoint.F32))
	h, err := llama.NewHead(headFile(t, c, []int{0, 1, 2}), m)
	if err != nil {
		t.Fatal(err)
	}
	plain, piped := pairOf(t, h, m), pairOf(t, h, m)
	tokens := ids(1, 40, 64)
	begun := 0
	const chain = 5
	for round := range 8 {
		to := 6 + 4*round
		var rows [2][][]float32
		for i, p := range []pair{plain, piped} {
			if err := p.head.Trim(max(0, to-6)); err != nil {
				t.Fatal(err)
			}
			p.seek(t, tokens[:to-1], p.head.Len(), to)
			if p == piped {
				p.head.(model.Pipelined).Pipeline(chain)
			}
			row := p.seek(t, tokens[:to], to-2, 1)[0]
			rows[i] = append(rows[i], row)
			for step := 1; step < chain; step++ {
				if p == piped && llama.Begun(p.head) {
					begun++
				}
				token := model.Token(slices.Index(row, slices.Max(row)))
				if round == 3 && step == 2 {
					token = tokens[0] // another than the best
				}
				row = p.feed(t, token)
				rows[i] = append(rows[i], row)
			}
			if p == piped && llama.Begun(p.head) {
				t.Errorf("round %d: a step more is begun than was said", round)
			}
		}
		for step, want := range rows[0] {
			if !slices.Equal(rows[1][step], want) {
				t.Fatalf("round %d: step %d has other logits", round, step)
			}
		}
	}
	if want := 8*(chain-1) - 2; begun < want {
		t.Errorf("%d steps were begun ahead, want %d", begun, want)
	}
}

// step is the row after a token, whose best id is asked for first.
func step(t *testing.T, s model.Session, token model.Token) []float32 {
	t.Helper()
	l, err := s.Forward([]model.Token{token}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Argmaxes(); err != nil {
		t.Fatal(err)
	}
	row := make([]float32, 64)
	if err := l.Read(0, row); err != nil {
		t.Fatal(err)
	}
	return row
}

// No step is begun that cannot be asked for: past the number that was said, or the
// context; and what was begun holds no handle after Close.
func TestPipelineEnds(t *testing.T) {
	e := overlapping(t)
	c := families["llama"]
	c.Context = 20
	m := loadedOn(t, e, write(t, c, checkpoint.F32))
	handles := e.Handles()
	for _, steps := range []int{1, 5, 30} {
		s := session(t, m)
		s.(model.Pipelined).Pipeline(steps)
		last := min(steps, c.Context)
		row := []float32{1}
		for i := range last {
			row = step(t, s, model.Token(slices.Index(row, slices.Max(row))))
			if want := i+1 < last; llama.Begun(s) != want {
				t.Errorf("%d steps: after %d one is begun: %v, want %v", steps, i+1, !want, want)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = session(t, m)
		s.(model.Pipelined).Pipeline(9)
		step(t, s, 1)
		if err := s.Close(); err != nil || e.Handles() != handles {
			t.Errorf("%d handles after Close, want %d (%v)", e.Handles(), handles, err)
		}
	}
}

// overlapping lets steps be begun ahead on any device.
func overlapping(t testing.TB) *mlx.Engine {
	return engineWith(t, func(o *mlx.Options) { o.Overlap = mlx.On })
}
