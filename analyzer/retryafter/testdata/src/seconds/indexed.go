package seconds

import (
	"net/http"
	"strconv"
	"time"
)

func indexed(resp *http.Response) time.Duration {
	if s, ok := resp.Header["Retry-After"]; ok { // want `indexed reads Retry-After as seconds only`
		if n, err := strconv.ParseInt(s[0], 10, 64); err == nil {
			return time.Duration(n) * time.Second
		}
	}
	return time.Second
}

func indexedBoth(resp *http.Response) time.Duration {
	if s, ok := resp.Header["Retry-After"]; ok {
		if n, err := strconv.ParseInt(s[0], 10, 64); err == nil {
			return time.Duration(n) * time.Second
		}
		if t, err := http.ParseTime(s[0]); err == nil {
			return time.Until(t)
		}
	}
	return time.Second
}
