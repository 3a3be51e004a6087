// Package mlxtest opens MLX for tests: where make and scripts/gpu.sh put it, on the device
// that they test.
package mlxtest

import (
	"os"

	"foretoken/mlx"
)

// Options are those of the environment that the program reads too: FORETOKEN_MLX,
// FORETOKEN_MLX_DEVICE and FORETOKEN_BLAS.
func Options() mlx.Options {
	return mlx.Options{Library: os.Getenv("FORETOKEN_MLX"), Device: os.Getenv("FORETOKEN_MLX_DEVICE"), BLAS: os.Getenv("FORETOKEN_BLAS")}
}
