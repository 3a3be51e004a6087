package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foretoken/experiments"
	"foretoken/model"
)

// peering is a config whose mlx-lm is a script of sh.
func peering(t *testing.T, script string) (dir, file string) {
	t.Helper()
	dir, _ = lay(t)
	put(t, filepath.Join(dir, "bridge.sh"), script)
	file = filepath.Join(dir, "parity.yaml")
	put(t, file, "reference: {model: "+dir+", python: sh, bridge: "+filepath.Join(dir, "bridge.sh")+"}\nengines: [toy]\nprompts: [{file: p.jsonl}]\n")
	return dir, file
}

// Ctrl-C is obeyed while mlx-lm computes, and leaves no process of it.
func TestParityInterrupted(t *testing.T) {
	for _, name := range []string{"parity", "speed"} {
		for _, script := range []string{"exec sleep 60\n", "read line; echo '{}'; exec sleep 60\n"} {
			_, file := peering(t, script)
			ctx, stop := context.WithCancel(t.Context())
			time.AfterFunc(300*time.Millisecond, stop)
			begun := time.Now()
			code, out, err := callUntil(ctx, toys, "", name, file)
			if code != exitInterrupted || out != "" || !strings.HasSuffix(err, "foretoken: interrupted\n") || time.Since(begun) > 20*time.Second {
				t.Errorf("%s after %v: exit %d, %q, %s", name, time.Since(begun), code, out, err)
			}
		}
	}
}

// What mlx-lm cannot be started with is said in a line, with what makes it.
func TestParityWithoutPeer(t *testing.T) {
	dir, file := peering(t, `echo '{"error": "it is not here"}'`)
	if code, _, err := call(t, "", "parity", file); code != exitFailure || !strings.Contains(err, "parity: mlx-lm: it is not here") {
		t.Errorf("exit %d, %s", code, err)
	}
	for want, change := range map[string][2]string{
		"reference.bridge: stat " + dir:        {"bridge.sh", "none.sh"},
		"'make mlx' makes a Python that has":   {"python: sh", "python: " + dir + "/no-python"},
		`reference.dtype: "half", want one of`: {"python: sh", "dtype: half, python: sh"},
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(dir, "other.yaml")
		put(t, other, strings.Replace(string(data), change[0], change[1], 1))
		for _, name := range []string{"parity", "speed"} {
			code, out, said := call(t, "", name, other)
			refused(t, name, code, out, said, want)
		}
	}
}

// short is a model of a context of 40.
type short struct{ model.Model }

func (m short) Info() model.Info {
	i := m.Model.Info()
	i.Context = 40
	return i
}

// Texts that end beyond the context are refused before anything is computed.
func TestParityRoom(t *testing.T) {
	_, file := peering(t, "read line; echo '{}'\n")
	open := func(ref string) (*experiments.Opened, error) {
		o, err := toys(ref)
		if err == nil {
			o.Model = short{o.Model}
		}
		return o, err
	}
	for _, name := range []string{"parity", "speed"} {
		code, out, err := callUntil(t.Context(), open, "", name, file)
		refused(t, name, code, out, err, "max_tokens 128 behind a prompt of ")
		if _, _, err := callUntil(t.Context(), open, "", name, file, "--max-tokens", "2"); strings.Contains(err, "behind a prompt") {
			t.Errorf("%s: %s", name, err)
		}
	}
}

// Facts are written over nothing that was asked for, and by nothing that stands beside them.
func TestParityOut(t *testing.T) {
	dir, file := peering(t, "")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"parity", "speed"} {
		for out, want := range map[string]string{file: "is the config", filepath.Join(dir, "x.md"): "a file for JSON", filepath.Join(dir, "x.png"): "a file for JSON", filepath.Join(dir, "x.svg"): "a file for JSON"} {
			code, text, said := call(t, "", name, file, "--out", out)
			refused(t, fmt.Sprint(name, out), code, text, said, want)
			if _, err := os.Stat(out); out != file && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s was written", out)
			}
		}
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the config was written over")
	}
}
