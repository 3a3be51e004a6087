//go:build faults

package foretoken

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestFaultsAreSeen plants every fault of the list, and wants its test red: failed by an
// assertion, not by a build that breaks.
func TestFaultsAreSeen(t *testing.T) {
	for _, f := range faults {
		t.Run(f.test+"/"+f.says, func(t *testing.T) {
			data, err := os.ReadFile(f.file)
			if err != nil {
				t.Fatal(err)
			}
			overlay := overlayOf(t, map[string]string{f.file: strings.Replace(string(data), f.old, f.new, 1)})
			out, err := exec.Command("go", "test", "-overlay", overlay, "-run", "^"+f.test+"$", f.pkg).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: "+f.test) {
				t.Errorf("%s is green, or did not run, with the fault (%v):\n%s", f.test, err, out)
			}
		})
	}
}
