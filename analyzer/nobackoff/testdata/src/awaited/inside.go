package awaited

import (
	"errors"
	"net/http"
	"time"
)

type settings struct {
	attempts int
	url      string
	delay    time.Duration
}

type saying struct{ status string }

func pauseFor(n int, d time.Duration) { time.Sleep(min(d<<n, time.Minute)) }

// Silent: what is made again waits itself, by a helper, where it failed.
func stopped(c *http.Client, s settings) (*saying, error) {
	for attempt := 0; attempt <= s.attempts; attempt++ {
		stopRetries, a, err := once(c, &s, attempt)
		if stopRetries {
			return a, err
		}
	}
	return nil, errors.New("no answer")
}

func once(c *http.Client, s *settings, attempt int) (stop bool, a *saying, err error) {
	resp, err := c.Get(s.url)
	if err != nil {
		pauseFor(attempt, s.delay)
		return false, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		pauseFor(attempt, s.delay)
		return false, nil, errors.New(resp.Status)
	}
	return true, &saying{resp.Status}, nil
}

func atOnce(c *http.Client, s settings) (*saying, error) {
	for attempt := 0; attempt <= s.attempts; attempt++ { // want `a failed single is repeated at once`
		stopRetries, a, err := single(c, &s)
		if stopRetries {
			return a, err
		}
	}
	return nil, errors.New("no answer")
}

func single(c *http.Client, s *settings) (stop bool, a *saying, err error) {
	resp, err := c.Get(s.url)
	if err != nil {
		return false, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return false, nil, errors.New(resp.Status)
	}
	return true, &saying{resp.Status}, nil
}
