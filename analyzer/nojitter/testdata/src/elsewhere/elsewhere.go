package elsewhere

import (
	"net/http"
	"time"

	"elsewhere/pacing"
)

func forgotten(client *http.Client, req *http.Request) (*http.Response, error) {
	pace := &pacing.Backoff{Initial: time.Second}
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(pace.Duration()) // want `the wait before the next client.Do is growing but the same for every client`
	}
}

func set(client *http.Client, req *http.Request) (*http.Response, error) {
	pace := &pacing.Backoff{Initial: time.Second, Jitter: time.Second}
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(pace.Duration())
	}
}
