//go:build !unix

package results

import "os"

// lock does nothing here: two writers of one run are not told apart.
func lock(*os.File) error { return nil }
