//go:build ignore

// Writes kernels_avx2.go and kernels_avx512.go: one text at two widths of vector.
//
// Go's scalar arithmetic is SSE's, and where it meets vectors whose upper halves are in
// use, some machines stop for hundreds of cycles: on a Sapphire Rapids kernels with a
// scalar in their loop took thirty times as long. So none has one, not even a float that is
// wanted again after the loop: sums are left in memory, and the caller adds them.
package main

import (
	"bytes"
	_ "embed"
	"go/format"
	"log"
	"os"
	"text/template"
)

//go:embed kernels.go.tmpl
var text string

// A width is a vector of W float32, of which H are as wide in float64.
type width struct {
	W, W2, W3, W4, H int
	Round            string // to the nearest integer
	Scale            bool   // there is an instruction that multiplies by powers of two
}

func main() {
	for file, w := range map[string]width{
		"kernels_avx2.go":   {8, 16, 24, 32, 4, "RoundToEven()", false},
		"kernels_avx512.go": {16, 32, 48, 64, 8, "RoundToEvenScaled(0)", true},
	} {
		var b bytes.Buffer
		if err := template.Must(template.New(file).Parse(text)).Execute(&b, w); err != nil {
			log.Fatal(err)
		}
		src, err := format.Source(b.Bytes())
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(file, src, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
