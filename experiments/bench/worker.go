package bench

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"foretoken/model"
	"foretoken/sampler"
)

// Work answers as a peer does: after "ready NAME", each line "TASK TIMES FILE" with
// so many times in nanoseconds, of this program's sampler.
func Work(in io.Reader, out io.Writer) error {
	if _, err := fmt.Fprintln(out, "ready", "foretoken, "+sampler.Kernels()); err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		times, err := answer(lines.Text())
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, strings.Trim(fmt.Sprint(times), "[]")); err != nil {
			return err
		}
	}
	return nil
}

func answer(line string) ([]int64, error) {
	words := strings.SplitN(line, " ", 3)
	if len(words) != 3 {
		return nil, fmt.Errorf("bench: %q, want TASK TIMES FILE", line)
	}
	task, err := find(words[0])
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, fmt.Errorf("bench: %q, want a number of times", words[1])
	}
	data, err := os.ReadFile(words[2])
	if err != nil {
		return nil, err
	}
	row := make(lent, len(data)/4)
	for i := range row {
		row[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return timed(task, row, n)
}

// timed does a task n times, after two that do not count.
func timed(task Task, row lent, n int) ([]int64, error) {
	b, err := sampler.NewBuilder(task.Config, len(row), len(row))
	if err != nil {
		return nil, err
	}
	rng := sampler.NewStream(1, sampler.TargetStream)
	at := sampler.Position{History: window[:], Generated: len(window)}
	var out []int64
	for i := range n + 2 {
		start := time.Now()
		if task.Top > 0 {
			_, err = b.Logprobs(row, 0, 0, task.Top)
		} else {
			var d sampler.Distribution
			b.Recycle()
			if d, err = b.SamplingDistribution(row, 0, at); err == nil {
				d.Sample(rng)
			}
		}
		if err != nil {
			return nil, err
		}
		if i >= 2 {
			out = append(out, time.Since(start).Nanoseconds())
		}
	}
	return out, nil
}

// lent is a row in memory that the sampler may read in place.
type lent []float32

func (lent) Wait() error                       { return nil }
func (l lent) Read(_ int, dst []float32) error { copy(dst, l); return nil }
func (l lent) View(int) ([]float32, error)     { return l, nil }
func (l lent) Argmaxes() ([]model.Token, error) {
	best := 0
	for i, v := range l {
		if v > l[best] {
			best = i
		}
	}
	return []model.Token{model.Token(best)}, nil
}
