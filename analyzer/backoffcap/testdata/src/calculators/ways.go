package calculators

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

type pace interface {
	Seconds() int
	Within(time.Duration) time.Duration
}

// What the other side tells does not limit what is computed where it is silent.
func retryDelay(resp *http.Response, p pace, attempt int) time.Duration {
	if told, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64); err == nil {
		return time.Duration(told) * time.Second
	}
	return time.Duration(math.Pow(float64(p.Seconds()), float64(attempt))) * time.Second // want `the wait that retryDelay computes doubles without limit`
}

// All of it is handed to what may limit it.
func retryDelayWithin(resp *http.Response, p pace, attempt int) time.Duration {
	delay := time.Duration(math.Pow(2, float64(attempt))) * time.Second
	if resp != nil {
		delay = p.Within(delay)
	}
	return delay
}
