package checkpoint

import (
	"fmt"
	"os"
)

// A file is the bytes of a file, mapped where the system can, and how to let go of
// them. A file that another process cuts short while it is mapped faults.
type file struct {
	path  string
	data  []byte
	close func() error
}

// open keeps the file with the checkpoint, which closes it.
func (ck *Checkpoint) open(path string) (*file, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	n := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, malformed(path, "", "a regular file", "mode %v", info.Mode())
	case n == 0:
		return nil, malformed(path, "", "weights", "an empty file")
	case int64(int(n)) != n:
		return nil, unsupported(path, "", fmt.Sprintf("%d bytes", n), "a size that this machine can address")
	}
	data, unmap, err := mapped(f, int(n))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %s: %w", path, err)
	}
	m := &file{path, data, unmap}
	ck.files = append(ck.files, m)
	return m, nil
}
