package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"foretoken/experiments/bench/decode"
)

func (s *decodeSetup) peers(ctx context.Context, plan decode.Plan) (arms []decode.Arm, err error) {
	if s.llama == "" && s.python == "" {
		s.notes = append(s.notes, "no peers: --llama and --python name them")
		return nil, nil
	}
	if s.llama != "" {
		if arms, err = s.llamaArms(ctx, plan); err != nil {
			return nil, err
		}
	} else {
		s.notes = append(s.notes, "llama.cpp: not named by --llama")
	}
	for _, library := range []string{"mlx-lm", "transformers"} {
		if s.python == "" {
			s.notes = append(s.notes, library+": not installed, --python names none")
			continue
		}
		p := decode.StartPython(ctx, s.python, s.script, library, s.file, s.app.err)
		s.closes = append(s.closes, p.Close)
		if p.Absent != "" {
			s.notes = append(s.notes, library+": not installed here: "+p.Absent)
			continue
		}
		s.notes = append(s.notes, p.Name+": the GGUF's weights, dequantised; plain decoding alone")
		arms = append(arms, p.Arm(s.target.Model.Info().Real, s.context, s.prefill))
	}
	return arms, nil
}

// find looks for what peers read and run, before anything is written.
func (s *decodeSetup) find() (err error) {
	if s.llama == "" && s.python == "" {
		return nil
	}
	if s.file, err = gguf(s.name); err != nil || s.llama == "" {
		return err
	}
	if s.draft != "" {
		if s.draftFile, err = gguf(s.draft); err != nil {
			return err
		}
	}
	if s.ways, s.missing = decode.Ways(s.llama, s.draftFile); len(s.ways) == 0 {
		return wrong("bench: --llama %s: no llama-lookup there", s.llama)
	}
	return nil
}

// llamaArms has llama.cpp at its best settings.
func (s *decodeSetup) llamaArms(ctx context.Context, plan decode.Plan) (arms []decode.Arm, err error) {
	fmt.Fprintln(s.app.err, "# short runs for llama.cpp's best settings")
	t := decode.Tuning{Llama: decode.Llama{Folder: s.llama, Model: s.file}, Texts: firstOfDomains(s.texts), Tokens: min(s.tokens, 24), Threads: s.llamaThreads, K: s.llamaK}
	l, best, err := t.Settle(ctx, s.ways, plan)
	if err != nil {
		return nil, err
	}
	for _, w := range best {
		arms = append(arms, l.Texts(w.String(), w, s.texts, s.tokens))
	}
	s.notes = append(s.notes, fmt.Sprintf("llama.cpp: %d threads, of %v tried; draft lengths the best of %v, each in a short run on a text a domain", l.Threads, s.llamaThreads, s.llamaK))
	arms = append(arms, decode.Starting("llama.cpp", false, l.Env(), filepath.Join(s.llama, "llama-lookup"), "-m", s.file, "-t", strconv.Itoa(l.Threads), "-c", "2048", "--temp", "0", "-n", "1", "--spec-draft-n-max", "0", "-p", "Once"))
	if _, err := os.Stat(filepath.Join(s.llama, "llama-bench")); err == nil {
		arms = append(arms, l.Arm("llama.cpp", s.context, s.prefill))
	} else {
		s.missing = append(s.missing, "llama-bench")
	}
	if s.missing != nil {
		s.notes = append(s.notes, "llama.cpp: not here: "+strings.Join(s.missing, ", "))
	}
	return arms, nil
}
