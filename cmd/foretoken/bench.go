package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/experiments/bench"
	"foretoken/results"
)

func benchCommand(a app) *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Time a part of the program beside its peers"}
	c.AddCommand(benchSamplerCommand(a), benchDecodeCommand(a), benchMasksCommand(a), benchWorkerCommand(a), benchMasksWorkerCommand(a))
	return c
}

func benchSamplerCommand(a app) *cobra.Command {
	var o bench.Options
	var plain, bound, out string
	c := &cobra.Command{
		Use:   "sampler",
		Short: "Time the sampler's host path beside a bound in C, numpy, mlx-lm and llama.cpp",
		Long: `Time the sampler's host path on the same rows as a bound in C, compiled here with
-march=native, and as numpy, mlx-lm and llama.cpp where --python has them, in
interleaved blocks of one run. Figures are ratios to the bound.

A program that was built without GOEXPERIMENT=simd joins as --plain. LLAMA_CPP_LIB
names llama.cpp's library where no Python package carries it. For a machine without
compilers scripts/bench_sampler.sh packs all that is needed.`,
		Example: `  foretoken bench sampler
  foretoken bench sampler --plain bin/foretoken-plain --python .venv/bin/python --out results/kept/sampler`,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case o.Vocabulary < 1000 || o.Vocabulary > 1<<22:
				return wrong("bench: --vocabulary %d, want 1000 to %d", o.Vocabulary, 1<<22)
			case o.Rounds < 1 || o.Times < 1:
				return wrong("bench: --rounds %d and --times %d, want at least 1", o.Rounds, o.Times)
			}
			if err := programs(map[string]string{"plain": plain, "bound": bound, "python": o.Python}); err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o.Self = []string{self, "bench", "worker"}
			if plain != "" {
				o.Plain = []string{plain, "bench", "worker"}
			}
			if bound != "" {
				o.Bound = []string{bound}
			}
			if out != "" { // before the work, not after it
				if err := os.MkdirAll(out, 0o755); err != nil {
					return err
				}
			}
			fmt.Fprintln(a.err, flagLine(c))
			run, err := bench.Time(c.Context(), o)
			if err != nil {
				return err
			}
			return writeBench(a, run.Table(experiments.HostLine()), out)
		},
	}
	f := c.Flags()
	f.IntVar(&o.Vocabulary, "vocabulary", 152064, "logits of a row")
	f.IntVar(&o.Rounds, "rounds", 9, "interleaved rounds")
	f.IntVar(&o.Times, "times", 15, "times a task in a round")
	f.StringVar(&o.CC, "cc", "cc", "the C compiler of the bound")
	f.StringVar(&bound, "bound", "", "the bound as a program compiled before, instead")
	f.StringVar(&o.Python, "python", "", "a Python with numpy, mlx-lm or llama.cpp")
	f.StringVar(&plain, "plain", "", "a foretoken built without vectors, to join")
	f.StringVar(&out, "out", "", "also write the table into this folder, as text and Markdown")
	return c
}

// programs refuses what flags name as a program and is none, before the work.
func programs(flags map[string]string) error {
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		name := flags[flag]
		if name == "" {
			continue
		}
		if _, err := exec.LookPath(name); err != nil {
			return wrong("bench: --%s %q, want a program: %w", flag, name, errors.Unwrap(err))
		}
	}
	return nil
}

// benchWorkerCommand is this program as a peer of its own benchmark.
func benchWorkerCommand(a app) *cobra.Command {
	return &cobra.Command{Use: "worker", Hidden: true,
		RunE: func(*cobra.Command, []string) error { return bench.Work(a.in, a.out) }}
}

// writeBench prints a table, and writes it where it shall be kept.
func writeBench(a app, t results.Table, out string) error {
	if err := t.Text(a.out); err != nil || out == "" {
		return err
	}
	return writeTable(a, t, out, "sampler")
}

// writeTable writes a table as text and as Markdown.
func writeTable(a app, t results.Table, out, name string) error {
	for name, write := range map[string]func(*os.File) error{
		name + ".txt": func(f *os.File) error { return t.Text(f) },
		name + ".md":  func(f *os.File) error { return t.Markdown(f) },
	} {
		f, err := os.Create(filepath.Join(out, name))
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		fmt.Fprintln(a.err, "wrote "+f.Name())
	}
	return nil
}
