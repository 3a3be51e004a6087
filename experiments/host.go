package experiments

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"foretoken/results"
)

func thisHost() results.Host {
	h := results.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
	switch runtime.GOOS {
	case "linux":
		h.CPU = field("/proc/cpuinfo", "model name")
		kib, _, _ := strings.Cut(field("/proc/meminfo", "MemTotal"), " ")
		n, _ := strconv.ParseInt(kib, 10, 64)
		h.Memory = n << 10
	case "darwin":
		h.CPU = sysctl("machdep.cpu.brand_string")
		h.Memory, _ = strconv.ParseInt(sysctl("hw.memsize"), 10, 64)
	}
	return h
}

// field is the value of the first "name : value" line of a file, "" where there
// is none.
func field(file, name string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func sysctl(name string) string {
	out, err := exec.Command("sysctl", "-n", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// HostLine is the machine in a line, and on Linux how much it had to do in the last
// minute: a busy one blurs times.
func HostLine() string {
	h := thisHost()
	line := fmt.Sprintf("%s, %d cores, %s/%s, %s", h.CPU, h.Cores, h.OS, h.Arch, runtime.Version())
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ := strings.Cut(string(data), " ")
		line += ", load " + load
	}
	return line
}
