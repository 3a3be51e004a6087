package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/jsonmask"
)

// A maskCase is a schema and a text that it allows.
type maskCase struct {
	Kind   string          `json:"kind"`
	Schema json.RawMessage `json:"schema"`
	IDs    []model.Token   `json:"ids"`
}

func readCases(file string) ([]maskCase, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []maskCase
	for line := range strings.Lines(string(data)) {
		var c maskCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("bench: %s, case %d: %w", file, len(out), err)
		}
		out = append(out, c)
	}
	return out, nil
}

// Words is a vocabulary as engines want it; making it is timed.
type Words func() (tokens [][]byte, eos []model.Token)

// WorkMasks answers as a peer of TimeMasks does, with this program's engines: after
// "ready NAME", "vocabulary" with its time in nanoseconds, and "case I" with those of
// the engine and of the mask before each token.
func WorkMasks(in io.Reader, out io.Writer, file string, words Words) error {
	cases, err := readCases(file)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "ready foretoken")
	var v *jsonmask.Vocabulary
	var width int
	for lines := bufio.NewScanner(in); lines.Scan(); {
		what, number, _ := strings.Cut(lines.Text(), " ")
		if what == "vocabulary" {
			start := time.Now()
			tokens, eos := words()
			v, width = jsonmask.NewVocabulary(tokens, eos), len(tokens)
			fmt.Fprintln(out, time.Since(start).Nanoseconds())
			continue
		}
		i, err := strconv.Atoi(number)
		if what != "case" || err != nil || i < 0 || i >= len(cases) || v == nil {
			return fmt.Errorf("bench: %q, want vocabulary and then case 0 to %d", lines.Text(), len(cases)-1)
		}
		times, err := timedMasks(v, width, cases[i])
		if err != nil {
			fmt.Fprintln(out, "refused", err)
			continue
		}
		fmt.Fprintln(out, strings.Trim(fmt.Sprint(times), "[]"))
	}
	return nil
}

// timedMasks returns the time of the engine and of every mask on a text's way.
func timedMasks(v *jsonmask.Vocabulary, width int, c maskCase) ([]int64, error) {
	allowed := model.NewMask(width)
	start := time.Now()
	var e sampler.ConstraintEngine
	e, err := jsonmask.Schema(v, c.Schema, jsonmask.Options{Blanks: jsonmask.MaxBlanks})
	times := []int64{time.Since(start).Nanoseconds()}
	if err != nil {
		return nil, err
	}
	for i, t := range c.IDs {
		start := time.Now()
		err := e.Mask(allowed)
		times = append(times, time.Since(start).Nanoseconds())
		if err != nil {
			return nil, err
		}
		if !allowed.Has(t) {
			return nil, fmt.Errorf("token %d, %d, is not in its mask", i, t)
		}
		if e, err = e.Next(t); err != nil {
			return nil, err
		}
	}
	return times, nil
}
