package main

import (
	"fmt"
	"os"

	"foretoken/model/load"
)

// engineOptions are what the environment says about the engines: FORETOKEN_MLX is the
// folder of libmlxc, FORETOKEN_MLX_DEVICE is cpu or gpu, FORETOKEN_MLX_SAMPLE is host or
// device, and FORETOKEN_BLAS is an OpenBLAS.
func engineOptions() (o load.Options, err error) {
	o.MLX.Library, o.MLX.BLAS = os.Getenv("FORETOKEN_MLX"), os.Getenv("FORETOKEN_BLAS")
	switch o.MLX.Device = os.Getenv("FORETOKEN_MLX_DEVICE"); o.MLX.Device {
	case "", "cpu", "gpu":
	default:
		return o, badInput{fmt.Errorf("FORETOKEN_MLX_DEVICE is %q: want cpu or gpu", o.MLX.Device)}
	}
	switch where := os.Getenv("FORETOKEN_MLX_SAMPLE"); where {
	case "", "host":
	case "device":
		o.Choose = true
	default:
		return o, badInput{fmt.Errorf("FORETOKEN_MLX_SAMPLE is %q: want host or device", where)}
	}
	return o, nil
}
