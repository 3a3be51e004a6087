//go:build mlx

package llama_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A call of MLX that fails, whichever, comes back as an error; the session can be
// closed, and leaves no handle; if nothing was computed, it can go on. The library
// that fails has to be the first that is loaded, so this runs in its own process.
func TestEveryFailureSurfaces(t *testing.T) {
	if armed := os.Getenv("FAILING_ARMED"); armed != "" {
		failEach(t, armed)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the library that fails is made for Linux's loader")
	}
	dir := t.TempDir()
	armed := filepath.Join(dir, "armed")
	real, err := filepath.Abs(filepath.Join(os.Getenv("FORETOKEN_MLX"), "libmlxc.so"))
	if err != nil {
		t.Fatal(err)
	}
	cc := exec.Command("cc", "-shared", "-fPIC", "-DARMED="+fmt.Sprintf("%q", armed), "-o", filepath.Join(dir, "libmlxc.so"),
		filepath.Join("testdata", "failing.c"), real, "-Wl,-rpath,"+filepath.Dir(real), "-Wl,--no-as-needed", "-ldl")
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	again := exec.Command(os.Args[0], "-test.run=^TestEveryFailureSurfaces$", "-test.v")
	again.Env = append(os.Environ(), "FAILING_ARMED="+armed, "FORETOKEN_MLX="+dir)
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "calls were failed") {
		t.Fatalf("%v: %s", err, out)
	}
	t.Log(string(out))
}

func failEach(t *testing.T, armed string) {
	f := &failing{t: t, e: overlapping(t), armed: armed}
	kept, lost := f.openings(), 0
	for name, open := range attempts(t, f.e) {
		k, l := f.attempts(name, open)
		t.Logf("%s: after %d calls that failed nothing was changed, after %d the session was lost", name, k, l)
		kept, lost = kept+k, lost+l
	}
	kept += f.draws()
	if kept < 500 || lost < 8 {
		t.Errorf("after %d calls that failed it could go on, after %d it said that it could not", kept, lost)
	}
	t.Logf("%d calls were failed: after %d nothing was changed, %d could only be closed", f.n, kept, lost)
}

// failing fails one call of MLX after another.
type failing struct {
	t     *testing.T
	e     *mlx.Engine
	armed string
	n     int // calls that were failed
}

// fail makes a call from now on fail, counted from 1; 0 is none.
func (f *failing) fail(call int) {
	f.t.Helper()
	if err := os.WriteFile(f.armed, fmt.Append(nil, call), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// each runs what a call fails in, for every call that there is, and counts them.
func (f *failing) each(what string, run func() error) (n int) {
	f.t.Helper()
	for call := 1; ; call++ {
		handles := f.e.Handles()
		f.fail(call)
		err := run()
		if h := f.e.Handles(); h != handles {
			f.t.Fatalf("%s, call %d: %d handles are left, want %d (%v)", what, call, h, handles, err)
		}
		if err == nil { // fewer calls than that
			f.fail(0)
			f.n += call - 1
			return call - 1
		}
		if !strings.Contains(err.Error(), "planted failure") {
			f.t.Errorf("%s, call %d: %v", what, call, err)
		}
	}
}

// openings fails what makes models and heads of them, and the steps that are built and kept
// when they are first used.
func (f *failing) openings() (n int) {
	c := wide("llama")
	ck, file := write(f.t, c, checkpoint.BF16), headFile(f.t, c, []int{0, 2})
	for _, o := range []llama.Options{{}, {Bits: 4, DType: mlx.Float32}} {
		n += f.each("opening", func() error {
			m, err := llama.New(f.e, ck, o)
			if err != nil {
				return err
			}
			defer m.Close()
			h, err := llama.NewHead(file, m)
			if err != nil {
				return err
			}
			p, err := newPair(h, m)
			if err != nil {
				return err
			}
			defer p.close()
			return p.turn()
		})
	}
	return n
}

// draws fails the numbers of MLX's key.
func (f *failing) draws() int {
	return f.each("draws", func() error {
		n, err := f.e.Noise(7)
		if err != nil {
			return err
		}
		defer n.Close()
		_, err = n.Next()
		return err
	})
}

// An attempt is sessions that a call fails in.
type attempt struct {
	turn  func() error
	state func() (n int, lost error) // positions that are computed, and whether it can go on
	rows  func() [][]float32
	close func() error
}

// attempts fails every call of a turn, each in sessions of its own.
func (f *failing) attempts(name string, open func() attempt) (kept, lost int) {
	f.t.Helper()
	good := open()
	want := good.rows()
	if err := errors.Join(good.turn(), good.close()); err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	f.each(name, func() error {
		a := open()
		err := a.turn()
		switch n, gone := a.state(); {
		case err == nil:
		case gone != nil && strings.Contains(gone.Error(), "session is lost"):
			lost++
		case n == 0:
			if kept++; !slices.EqualFunc(a.rows(), want, slices.Equal[[]float32]) {
				f.t.Errorf("%s, %d: after its failure the session goes on with other logits", name, kept)
			}
		}
		if err := a.close(); err != nil {
			f.t.Errorf("%s: it cannot be closed: %v", name, err)
		}
		return err
	})
	return kept, lost
}

// attempts are ways of decoding.
func attempts(t *testing.T, e *mlx.Engine) map[string]func() attempt {
	of := func(c checkpoint.Config, o llama.Options, tokens []model.Token, n int, turn func(model.Session) error) func() attempt {
		m, err := llama.New(e, write(t, c, checkpoint.F32), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return func() attempt {
			s := session(t, m)
			return attempt{func() error { return turn(s) }, func() (int, error) { return s.Len(), s.Trim(s.Len()) },
				func() [][]float32 {
					out := rows(t, s, tokens, n, c.Vocab)
					if err := s.Trim(0); err != nil {
						t.Fatal(err)
					}
					return out
				}, s.Close}
		}
	}
	long, text := families["llama"], ids(5, 600, 64)
	long.Context = 1000
	m := loadedOn(t, e, write(t, families["llama"], checkpoint.F32))
	h, err := llama.NewHead(headFile(t, families["llama"], []int{0, 1, 2}), m)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func() attempt{
		"plain":      of(families["llama"], llama.Options{Choose: true}, []model.Token{1, 2, 3}, 3, plainTurn),
		"cache of 8": of(heads("llama", 32), llama.Options{KVBits: 8}, []model.Token{1, 2, 3}, 3, plainForward),
		"two blocks": of(long, llama.Options{}, text, 100, func(s model.Session) error { return forward(s, text, 100) }),
		"eagle head": func() attempt {
			p, err := newPair(h, m)
			if err != nil {
				t.Fatal(err)
			}
			return attempt{p.turn, func() (int, error) {
				return p.head.Len() + p.target.Len(), errors.Join(p.target.Trim(p.target.Len()), p.head.Trim(p.head.Len()))
			},
				func() [][]float32 {
					out := rows(t, p.target, []model.Token{1, 2, 3}, 3, 64)
					if err := p.target.Trim(0); err != nil {
						t.Fatal(err)
					}
					return out
				}, p.close}
		},
	}
}

// forward computes tokens, and reads the best ids and a row.
func forward(s model.Session, tokens []model.Token, n int) error {
	l, err := s.Forward(tokens, n)
	if err == nil {
		err = l.Wait()
	}
	if err == nil {
		_, err = l.Argmaxes()
	}
	if err == nil {
		row, wide := make([]float32, 64), make([]float32, 96)
		if err = l.Read(0, row); err != nil && !strings.Contains(err.Error(), "planted") {
			err = l.Read(0, wide)
		}
	}
	return err
}

func plainForward(s model.Session) error {
	if err := forward(s, []model.Token{1, 2, 3}, 3); err != nil {
		return err
	}
	return forward(s, []model.Token{4}, 1)
}

// plainTurn is a forward, the wait, the best ids, also of a mask, a distribution, a ranking
// and a row, and steps that are begun ahead.
func plainTurn(s model.Session) error {
	if err := forward(s, []model.Token{1, 2, 3}, 3); err != nil {
		return err
	}
	l, err := s.Forward([]model.Token{7, 8, 9}, 3)
	if err != nil {
		return err
	}
	mask := model.NewMask(64)
	mask.Fill(60)
	p := model.Plan{Real: 64, Mask: mask, Bias: []model.Bias{{Token: 3, Value: 1}}, Seen: []model.Count{{Token: 5, N: 2}},
		Repetition: 1.1, Frequency: .1, Temperature: 1, FilterTemperature: 1, TopP: .9, MinP: .01, TopK: 9, KeepTies: true}
	if _, err := l.(model.PlanExecutor).Execute(1, &p); err != nil {
		return err
	}
	if _, err := l.(model.MaskedArgmax).MaskedArgmax(2, mask); err != nil {
		return err
	}
	if _, err := l.(model.Ranker).Rank(0, 64, 3, 9); err != nil {
		return err
	}
	s.(model.Pipelined).Pipeline(9)
	for range 2 {
		if err := forward(s, []model.Token{1}, 1); err != nil {
			return err
		}
	}
	return nil
}

// turn is states of the target through the head, and the head's own fed back to it.
func (p pair) turn() error {
	if err := forward(p.target, []model.Token{1, 2, 3}, 1); err != nil {
		return err
	}
	states, err := p.target.(model.HiddenTap).Hidden(0, 2)
	if err != nil {
		return err
	}
	p.head.(model.Pipelined).Pipeline(3)
	for _, tokens := range [][]model.Token{{2, 3}, {4}} {
		l, err := p.head.ForwardStates(states, tokens, 1)
		if err != nil {
			return err
		}
		if _, err := l.Argmaxes(); err != nil {
			return err
		}
		if states, err = p.head.Hidden(p.head.Len()-1, p.head.Len()); err != nil {
			return err
		}
	}
	return nil
}

func (p pair) close() error { return errors.Join(p.target.Close(), p.head.Close()) }
