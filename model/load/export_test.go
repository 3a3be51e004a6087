package load

import "io/fs"

// OpenFS opens a folder as one that the program carries.
func OpenFS(folder fs.FS, name string) (*Loaded, error) {
	return Options{}.openFS(folder, engines[0], name)
}
