package results

import (
	"fmt"

	"foretoken/stat"
)

func number(x float64, digits int) string { return stat.Format{Digits: digits}.Number(x) }

func bytesOf(n int64) string {
	if n <= 0 {
		return stat.Missing
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}
