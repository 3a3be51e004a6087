package checkpoint

import (
	"fmt"
	"io"
	"os"
)

// A file is the bytes of a file, mapped where the system can, and how to let go of
// them. A file that another process cuts short while it is mapped faults.
type file struct {
	path  string
	data  []byte
	close func() error
}

// open keeps a file of the folder with the checkpoint, which closes it.
func (ck *Checkpoint) open(name string) (*file, error) {
	path := ck.at(name)
	f, err := ck.fsys.Open(name)
	if err != nil {
		return nil, ck.failed(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, ck.failed(err)
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
	m := &file{path: path, close: func() error { return nil }}
	if disk, ok := f.(*os.File); ok {
		m.data, m.close, err = mapped(disk, int(n))
	} else {
		m.data = make([]byte, n)
		_, err = io.ReadFull(f, m.data)
	}
	if err != nil {
		return nil, ck.failed(err)
	}
	ck.files = append(ck.files, m)
	return m, nil
}
