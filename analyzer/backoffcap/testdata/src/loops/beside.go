package loops

import (
	"net/http"
	"time"
)

type draw interface{ Float64() float64 }

// What is added can't be followed, and limits nothing.
func added(client *http.Client, req *http.Request, attempts int, d draw) (resp *http.Response, err error) {
	for attempt := 0; ; attempt++ {
		some := time.Duration(d.Float64() * float64(time.Second))
		time.Sleep(some + (1<<uint(attempt))*time.Second) // want `the wait before the next client.Do doubles without limit`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if attempt > attempts {
			return nil, err
		}
	}
}

type limiter interface {
	Limit(time.Duration) time.Duration
}

// What is done with the whole may limit it.
func handed(client *http.Client, req *http.Request, attempts int, l limiter) (resp *http.Response, err error) {
	for attempt := 0; ; attempt++ {
		time.Sleep(time.Second + l.Limit((1<<uint(attempt))*time.Second))
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if attempt > attempts {
			return nil, err
		}
	}
}
