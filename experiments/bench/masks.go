package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"foretoken/stat"
)

//go:embed masks_peers.py
var maskPeerSource []byte

// MaskOptions are what a run of masks takes.
type MaskOptions struct {
	Self      func(cases string) []string // this program as a worker
	Python    string                      // has bfcl-eval and tokenizers, and the peers it has
	Tokenizer string                      // tokenizer.json
	Cases     int                         // functions; documents are a fourth
	Rounds    int

	cases  string // a file instead of what Python writes, for tests
	others [][]string
}

// A MaskRun is what was measured.
type MaskRun struct {
	Options MaskOptions
	Peers   []string // this program first
	Absent  []string
	Refused []string // cases that not every peer follows, with who and why
	Cells   []MaskCell
}

// A MaskCell is what one peer's engines cost on cases of a kind.
type MaskCell struct {
	Kind, Peer          string
	Cases, Masks        int       // of a round
	Vocabulary          float64   // nanoseconds
	Engine, Median, P99 []float64 // nanoseconds, of every round
}

// TimeMasks measures engines and masks, case by case in turns. Every round makes its
// engines anew, so that a mask is met for the first time but for what its engine found
// when it was made and what peers keep for a tokenizer.
func TimeMasks(ctx context.Context, o MaskOptions) (run MaskRun, err error) {
	dir, err := os.MkdirTemp("", "foretoken-bench-")
	if err != nil {
		return run, err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "masks_peers.py")
	if err := os.WriteFile(script, maskPeerSource, 0o644); err != nil {
		return run, err
	}
	file := o.cases
	if file == "" {
		file = filepath.Join(dir, "cases.jsonl")
		if out, err := exec.CommandContext(ctx, o.Python, script, "cases", o.Tokenizer, file, strconv.Itoa(o.Cases)).CombinedOutput(); err != nil {
			return run, fmt.Errorf("bench: the cases, by %s: %w %s", o.Python, err, out)
		}
	}
	cases, err := readCases(file)
	if err != nil {
		return run, err
	}
	argvs := append([][]string{append([]string{"foretoken"}, o.Self(file)...)}, o.others...)
	if o.Python != "" {
		for _, name := range []string{"xgrammar", "llguidance"} {
			argvs = append(argvs, []string{name, o.Python, script, name, o.Tokenizer, file})
		}
	}
	run.Options = o
	var peers []*peer
	defer func() {
		for _, p := range peers {
			if e := p.stop(); err == nil && ctx.Err() == nil {
				err = e
			}
		}
	}()
	for _, argv := range argvs {
		p := start(ctx, argv[0], argv[1:]...)
		switch {
		case p.absent == "":
			peers = append(peers, p)
			run.Peers = append(run.Peers, p.Name)
		case len(peers) == 0:
			return run, fmt.Errorf("bench: %s: %s", p.Name, p.absent)
		default:
			run.Absent = append(run.Absent, p.Name+": "+p.absent)
		}
	}
	if err := run.measure(ctx, peers, cases); err != nil {
		return run, errors.Join(ctx.Err(), err)
	}
	return run, nil
}

// measure fills run.Cells.
func (run *MaskRun) measure(ctx context.Context, peers []*peer, cases []maskCase) error {
	vocabulary := make([]float64, len(peers))
	for i, p := range peers {
		times, _, err := p.masks("vocabulary")
		if err != nil {
			return err
		}
		vocabulary[i] = times[0]
	}
	cell := map[string][]*MaskCell{} // by kind, one a peer
	for _, c := range cases {
		for i := len(cell[c.Kind]); i < len(peers); i++ {
			cell[c.Kind] = append(cell[c.Kind], &MaskCell{Kind: c.Kind, Peer: peers[i].Name, Vocabulary: vocabulary[i]})
		}
	}
	refused := make([]bool, len(cases))
	for range run.Options.Rounds {
		engines, masks := map[*MaskCell][]float64{}, map[*MaskCell][]float64{}
		for k, c := range cases {
			var all [][]float64
			for _, p := range peers {
				if refused[k] || ctx.Err() != nil {
					break
				}
				times, why, err := p.masks("case " + strconv.Itoa(k))
				if err != nil {
					return err
				}
				if refused[k] = why != ""; refused[k] {
					run.Refused = append(run.Refused, fmt.Sprintf("%s %d, by %s: %s", c.Kind, k, p.Name, why))
				}
				all = append(all, times)
			}
			for i := range peers {
				if x := cell[c.Kind][i]; !refused[k] && ctx.Err() == nil {
					engines[x], masks[x] = append(engines[x], all[i][0]), append(masks[x], all[i][1:]...)
				}
			}
		}
		for x := range engines {
			x.Cases, x.Masks = len(engines[x]), len(masks[x])
			x.Engine, x.Median = append(x.Engine, stat.Median(engines[x])), append(x.Median, stat.Median(masks[x]))
			x.P99 = append(x.P99, stat.Quantile(.99, masks[x]))
		}
	}
	for _, kind := range cases {
		for _, x := range cell[kind.Kind] {
			if x.Cases > 0 {
				run.Cells = append(run.Cells, *x)
			}
		}
		delete(cell, kind.Kind)
	}
	return ctx.Err()
}

// masks asks for times, or why there are none.
func (p *peer) masks(what string) (times []float64, refused string, err error) {
	line, err := p.say(what)
	if err != nil {
		return nil, "", err
	}
	if why, ok := strings.CutPrefix(line, "refused"); ok {
		return nil, "refused" + why, nil
	}
	for _, word := range strings.Fields(line) {
		ns, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, "", fmt.Errorf("bench: %s says %q", p.Name, line)
		}
		times = append(times, ns)
	}
	if len(times) == 0 {
		return nil, "", fmt.Errorf("bench: %s says nothing to %q", p.Name, what)
	}
	return times, "", nil
}
