package bench

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"foretoken/stat"
)

// In a folder of its own: beside Go files, go build refuses C without cgo.
//
//go:embed bound/bound.c
var boundSource []byte

//go:embed peers.py
var peerSource []byte

// Options are what a run takes.
type Options struct {
	Self   []string // this program as a worker
	Plain  []string // one built without vectors as a worker; nil is none
	Bound  []string // the bound as it was compiled elsewhere; nil compiles it here
	CC     string   // the C compiler that does
	Python string   // runs numpy, mlx-lm and llama.cpp where it has them; "" is none

	Vocabulary int
	Rounds     int // of interleaved blocks
	Times      int // of a task in a block

	others [][]string // more peers, for tests
}

// A Run is what was measured.
type Run struct {
	Options Options
	Bound   string
	Peers   []string // that ran, this program first
	Absent  []string // that could not, with the reason
	Cells   []Cell
}

// A Cell is a task on a kind of row by a peer, over the rounds.
type Cell struct {
	Task, Row, Peer string
	Medians         []float64 // of every round, in nanoseconds
}

// Time measures everything.
func Time(ctx context.Context, o Options) (run Run, err error) {
	dir, err := os.MkdirTemp("", "foretoken-bench-")
	if err != nil {
		return run, err
	}
	defer os.RemoveAll(dir)
	peers, err := o.start(ctx, dir)
	defer func() {
		for _, p := range peers {
			if p.absent == "" {
				if e := p.stop(); err == nil && ctx.Err() == nil {
					err = e
				}
			}
		}
	}()
	if err != nil {
		return run, err
	}
	run = Run{Options: o, Bound: peers[0].Name}
	var here []*peer
	for _, p := range peers {
		if p.absent != "" {
			run.Absent = append(run.Absent, p.Name+": "+p.absent)
			continue
		}
		here = append(here, p)
		run.Peers = append(run.Peers, p.Name)
	}
	for _, row := range Rows() {
		file := filepath.Join(dir, "row")
		if err := write(file, row.Make(o.Vocabulary)); err != nil {
			return run, err
		}
		for _, task := range Tasks() {
			cells, err := o.cells(ctx, here, task.Name, row.Name, file)
			if err != nil {
				return run, err
			}
			run.Cells = append(run.Cells, cells...)
		}
	}
	return run, nil
}

// start runs the bound, this program, and the others, in that order.
func (o Options) start(ctx context.Context, dir string) ([]*peer, error) {
	bound := o.Bound
	if bound == nil {
		var err error
		if bound, err = o.compile(ctx, dir); err != nil {
			return nil, err
		}
	}
	argvs := [][]string{append([]string{"bound"}, bound...), append([]string{"foretoken"}, o.Self...)}
	if o.Plain != nil {
		argvs = append(argvs, append([]string{"foretoken, plain"}, o.Plain...))
	}
	own := len(argvs)
	if o.Python != "" {
		script := filepath.Join(dir, "peers.py")
		if err := os.WriteFile(script, peerSource, 0o644); err != nil {
			return nil, err
		}
		for _, name := range []string{"numpy", "mlx", "llama", "llama_late"} {
			argvs = append(argvs, []string{name, o.Python, script, name})
		}
	}
	var peers []*peer
	for i, argv := range append(argvs, o.others...) {
		p := start(ctx, argv[0], argv[1:]...)
		peers = append(peers, p)
		if i < own && p.absent != "" {
			return peers, fmt.Errorf("bench: %s: %s", p.Name, p.absent)
		}
	}
	return peers, nil
}

// compile makes the bound for this machine.
func (o Options) compile(ctx context.Context, dir string) ([]string, error) {
	source, bound := filepath.Join(dir, "bound.c"), filepath.Join(dir, "bound")
	if err := os.WriteFile(source, boundSource, 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, o.CC, "-O3", "-march=native", "-o", bound, source, "-lm").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bench: the bound in C, by %s: %w %s", o.CC, err, out)
	}
	return []string{bound}, nil
}

// cells times one task on one row by every peer, in turns.
func (o Options) cells(ctx context.Context, peers []*peer, task, row, file string) ([]Cell, error) {
	out, missing := make([]Cell, len(peers)), make([]bool, len(peers))
	for range o.Rounds {
		for i, p := range peers {
			if missing[i] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			times, ok, err := p.ask(task, o.Times, file)
			if err != nil {
				return nil, errors.Join(ctx.Err(), err)
			}
			if missing[i] = !ok; ok {
				out[i].Task, out[i].Row, out[i].Peer = task, row, p.Name
				out[i].Medians = append(out[i].Medians, stat.Median(times))
			}
		}
	}
	return slices.DeleteFunc(out, func(c Cell) bool { return c.Medians == nil }), nil
}

func write(file string, row []float32) error {
	data := make([]byte, 0, 4*len(row))
	for _, v := range row {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return os.WriteFile(file, data, 0o644)
}
