package load

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// smallFile is hashed every time, which takes less than to remember it, in bytes.
const smallFile = 1 << 20

// A hashCache remembers the hashes of large files in the user's cache folder. Nothing
// depends on it but time: where it cannot be read or written, files are hashed.
type hashCache struct {
	path  string // "" where there is no such folder
	known map[string]hashed
	fresh bool // something was added
}

// hashed is a file as it was when it was hashed.
type hashed struct {
	Size   int64  `json:"size"`
	Time   int64  `json:"time"` // of its last change, in nanoseconds
	SHA256 string `json:"sha256"`
}

func remembered() *hashCache {
	c := &hashCache{known: map[string]hashed{}}
	dir, err := os.UserCacheDir()
	if err != nil {
		return c
	}
	c.path = filepath.Join(dir, "foretoken", "sha256.json")
	if data, err := os.ReadFile(c.path); err == nil && json.Unmarshal(data, &c.known) != nil {
		c.known = map[string]hashed{} // damaged
	}
	return c
}

func (c *hashCache) hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	now := hashed{Size: info.Size(), Time: info.ModTime().UnixNano()}
	key, err := filepath.Abs(path)
	if err != nil {
		key = path
	}
	if old, ok := c.known[key]; ok && old.Size == now.Size && old.Time == now.Time && now.Size >= smallFile {
		return old.SHA256, nil
	}
	if now.SHA256, err = sum(f); err == nil && now.Size >= smallFile {
		c.known[key], c.fresh = now, true
	}
	return now.SHA256, err
}

// save writes the cache whole or not at all.
func (c *hashCache) save() {
	if c.path == "" || !c.fresh {
		return
	}
	data, err := json.Marshal(c.known)
	if err != nil || os.MkdirAll(filepath.Dir(c.path), 0o755) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(c.path), "sha256-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(data)
	if tmp.Close() != nil || err != nil || os.Rename(tmp.Name(), c.path) != nil {
		_ = os.Remove(tmp.Name())
	}
}
