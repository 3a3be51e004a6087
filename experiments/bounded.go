package experiments

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// What a config may be: the parser takes memory by the square of the depth.
const (
	mostBytes = 1 << 20
	mostDepth = 100
)

// ReadConfig reads a config file, and no more of it than a config may have.
func ReadConfig(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = source{file: file}.fail(nil, "", fmt.Sprintf("is longer than %d bytes, want at most as many", mostBytes))
	}
	return data, err
}

// bounded refuses what the parser would choke on. It counts brackets wherever they
// stand, in text too, and the dashes that begin a line.
func (s source) bounded(data []byte) error {
	if len(data) > mostBytes {
		return s.fail(nil, "", fmt.Sprintf("is of %d bytes, want at most %d", len(data), mostBytes))
	}
	depth, at := 0, 0
	for line := range bytes.Lines(data) {
		at++
		lists := dashes(line)
		for i, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(depth-1, 0)
			}
			if depth+lists > mostDepth {
				return &ConfigError{File: s.file, Line: at, Column: i + 1, Reason: fmt.Sprintf("nests deeper than %d, want less", mostDepth)}
			}
		}
	}
	return nil
}

// dashes counts the lists that a line begins, as "- - 1" begins two.
func dashes(line []byte) int {
	return bytes.Count(line[:len(line)-len(bytes.TrimLeft(line, " -?"))], []byte("-"))
}
