package seconds

import (
	"net/http"
	"strconv"
	"time"
)

func delay(resp *http.Response) time.Duration {
	n, err := strconv.Atoi(resp.Header.Get("Retry-After")) // want `delay reads Retry-After as seconds only, so a date is waited for wrongly; parse it with http.ParseTime as well and cap the wait`
	if err != nil {
		return time.Second
	}
	return time.Duration(n) * time.Second
}

func lower(h http.Header) time.Duration {
	raw := h.Get("retry-after") // want `lower reads Retry-After as seconds only`
	n, err := strconv.ParseInt(raw, 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}

// What is polled has not failed.
func polled(resp *http.Response) time.Duration {
	switch resp.StatusCode {
	case http.StatusAccepted:
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
			return time.Duration(n) * time.Second
		}
	case http.StatusTooManyRequests:
		return time.Minute
	}
	return time.Second
}

func throttled(resp *http.Response) time.Duration {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil { // want `throttled reads Retry-After as seconds only`
			return time.Duration(n) * time.Second
		}
	}
	return time.Second
}
