//go:build !unix

package spec

func peakMemory() int64 { return 0 }
