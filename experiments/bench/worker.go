package bench

import (
	"bufio"
	"fmt"
	"io"
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
	row, err := model.RowOf(data)
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", words[2], err)
	}
	return timed(task, row, n)
}

// timed does a task n times, after two that do not count.
func timed(task Task, row model.Row, n int) ([]int64, error) {
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
