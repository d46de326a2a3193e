package elsewhere

import (
	"net/http"
	"time"

	"elsewhere/pacing"
)

func max(a, b time.Duration) time.Duration {
	if a > b {
		return a
	}
	return b
}

// The Max that is asked for is never applied.
func connect(client *http.Client, req *http.Request) (*http.Response, error) {
	pace := &pacing.Backoff{Initial: time.Second, Max: 5 * time.Minute}
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(max(time.Millisecond, pace.Duration())) // want `the wait before the next client.Do doubles without limit`
	}
}

func limited(client *http.Client, req *http.Request) (*http.Response, error) {
	for attempt := uint(0); ; attempt++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(pacing.Limited(attempt))
	}
}
