package jinja

import (
	"testing"
	"time"
)

// TestStrftime holds what the goldens' one time does not show; the values are C's.
func TestStrftime(t *testing.T) {
	for _, c := range []struct {
		at     time.Time
		format string
		want   string
	}{
		{time.Date(2024, 7, 6, 15, 4, 9, 0, time.UTC), "%d %b %Y|%Y-%m-%d|%H:%M:%S|%e|%A %B %j %p %I|100%%|%q%", "06 Jul 2024|2024-07-06|15:04:09| 6|Saturday July 188 PM 03|100%|%q%"},
		{time.Date(2025, 1, 1, 0, 5, 0, 0, time.UTC), "%I %p %l %-I %j %U %W %G-%V %u %w", "12 AM 12 12 001 00 00 2025-01 3 3"},
		{time.Date(2023, 1, 1, 12, 0, 0, 42000, time.UTC), "%I %p %j %U %W %G-%V %u %w %f %y %C", "12 PM 001 01 00 2022-52 7 0 000042 23 20"},
		{time.Date(2023, 12, 31, 13, 0, 0, 0, time.UTC), "%_d %^a %I %U %W %D %R %c", "31 SUN 01 53 52 12/31/23 13:00 Sun Dec 31 13:00:00 2023"},
	} {
		if got := strftime(c.at, c.format); got != c.want {
			t.Errorf("%s: got %q, want %q", c.format, got, c.want)
		}
	}
}
