package main

import (
	"os/exec"
	"testing"
)

// A shell reads the words that are printed as the text that was given.
func TestShellWord(t *testing.T) {
	for _, s := range []string{"", "plain", "a b", "it's", "\n", "a\tb\\n", "$HOME", "`id`", "é\u00a0x", "\x7f", "a\r\n'", "[1,2]", "-", "*", "~", "#x", "=x", "\x1b[0m'\\"} {
		out, err := exec.Command("bash", "-c", "printf %s "+shellWord(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q is written %s, which a shell reads as %q (%v)", s, shellWord(s), out, err)
		}
	}
}
