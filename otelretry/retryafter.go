package otelretry

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// ParseRetryAfter reads the value of a Retry-After header (RFC 9110, section
// 10.2.3): a number of seconds, or a date in any of the three forms of HTTP.
// A date in the past is 0, a number too large for a Duration is the longest
// one. It reports false for anything else, which is to be ignored. now is the
// time that dates are relative to, usually time.Now().
func ParseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if seconds, ok := parseSeconds(value); ok {
		return seconds, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(date.Sub(now), 0), true
}

// parseSeconds reads 1*DIGIT, saturating.
func parseSeconds(value string) (time.Duration, bool) {
	const most = int64(math.MaxInt64 / time.Second)
	var seconds int64
	for _, digit := range []byte(value) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		seconds = min(seconds*10+int64(digit-'0'), most)
	}
	if seconds == most {
		return math.MaxInt64, true
	}
	return time.Duration(seconds) * time.Second, true
}
