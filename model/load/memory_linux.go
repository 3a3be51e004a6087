package load

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// freeMemory is how many bytes this process may still take: what the kernel calls available,
// the rest of its control group's limit, and the rest of its own; 0 where none is known.
func freeMemory() int64 {
	free := kibibytes("/proc/meminfo", "MemAvailable:")
	for _, g := range [][2]string{{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}} {
		if limit, ok := number(g[0]); ok {
			used, _ := number(g[1])
			free = least(free, limit-used)
		}
	}
	var own syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &own); err == nil && own.Cur < 1<<62 {
		free = least(free, int64(own.Cur)-kibibytes("/proc/self/status", "VmSize:"))
	}
	return free
}

// least is the smaller of two amounts, where 0 is not known. What is used up is 1.
func least(a, b int64) int64 {
	if b = max(b, 1); a == 0 {
		return b
	}
	return min(a, b)
}

// kibibytes reads a field of a file of the kernel's, in bytes; 0 where it is not there.
func kibibytes(file, name string) int64 {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == name {
			n, _ := strconv.ParseInt(words[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

// number reads a file of one; "max" is none.
func number(file string) (int64, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64)
	return n, err == nil
}
