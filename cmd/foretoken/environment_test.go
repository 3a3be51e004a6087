package main

import (
	"errors"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/model/load"
)

// The environment becomes options of the opening, and a word that it cannot have is bad input.
func TestEngineOptions(t *testing.T) {
	for name, value := range map[string]string{"FORETOKEN_MLX": "lib", "FORETOKEN_BLAS": "blas.so", "FORETOKEN_MLX_DEVICE": "cpu", "FORETOKEN_MLX_SAMPLE": "device"} {
		t.Setenv(name, value)
	}
	want := load.Options{MLX: mlx.Options{Library: "lib", BLAS: "blas.so", Device: "cpu"}, Choose: true}
	if got, err := engineOptions(); got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, name := range []string{"FORETOKEN_MLX_SAMPLE", "FORETOKEN_MLX_DEVICE"} {
		t.Setenv(name, "tpu")
		if _, err := engineOptions(); !errors.As(err, new(badInput)) || !strings.Contains(err.Error(), name+` is "tpu": want `) {
			t.Error(err)
		}
	}
}
