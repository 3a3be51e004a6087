package jsonmask

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// maxFile bounds a file beside a schema, maxFiles how many of them are looked into.
const (
	maxFile  = 8 << 20
	maxFiles = 1000
)

// ReadFile returns the schema in a file, with those that it refers to in the same folder:
// other.json beside it, or the file whose $id is what it names. Nothing is read from another
// folder, nor from the network.
func ReadFile(path string) ([]byte, error) {
	schema, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := folder{name: filepath.Dir(path), base: "/"} // as package url reads x without a base: /x
	if id, err := new(url.URL).Parse(idOf(schema)); err == nil && id.String() != "" {
		f.base = folderOf(id.String())
	}
	whole, err := Bundle(schema, f.find)
	return whole, errors.Join(err, f.close())
}

// A folder is the files beside a schema.
type folder struct {
	name string
	base string   // the URI of the folder, as the schema's $id has it
	root *os.Root // nil until it is asked for
	ids  map[string]string
}

func (f *folder) close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// find returns the file that a URI names: by its name in the folder, or by its $id.
func (f *folder) find(uri string) (data []byte, err error) {
	if f.root == nil {
		if f.root, err = os.OpenRoot(f.name); err != nil {
			return nil, err
		}
	}
	if file, ok := strings.CutPrefix(uri, f.base); ok {
		if file, err := url.PathUnescape(file); err == nil && file != "" && filepath.IsLocal(file) && !strings.ContainsAny(file, `/\`) {
			data, err := f.read(file)
			if !errors.Is(err, fs.ErrNotExist) {
				return data, err
			}
		}
	}
	if f.ids == nil {
		if err := f.identify(); err != nil {
			return nil, err
		}
	}
	if file, ok := f.ids[uri]; ok {
		return f.read(file)
	}
	return nil, nil
}

// read returns a file of the folder.
func (f *folder) read(name string) ([]byte, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, &fs.PathError{Op: "read", Path: filepath.Join(f.name, name), Err: errors.New("no file of at most 8 MiB, as schemas are")}
	}
	return io.ReadAll(file)
}

// identify finds the $id of the JSON files.
func (f *folder) identify() error {
	f.ids = map[string]string{}
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries[:min(len(entries), maxFiles)] {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		if data, err := f.read(e.Name()); err == nil {
			if id := idOf(data); id != "" {
				f.ids[id] = e.Name()
			}
		}
	}
	return nil
}

// idOf is the $id of a schema, "" where it has none.
func idOf(schema []byte) string {
	var named map[string]json.RawMessage
	if json.Unmarshal(schema, &named) != nil {
		return ""
	}
	for _, keyword := range []string{"$id", "id"} {
		var id string
		if json.Unmarshal(named[keyword], &id) == nil && id != "" {
			return strings.TrimSuffix(id, "#")
		}
	}
	return ""
}
