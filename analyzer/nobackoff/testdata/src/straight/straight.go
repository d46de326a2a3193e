package straight

import (
	"errors"
	"net/http"
	"time"
)

func atOnce(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 5; attempt++ { // want `a failed client.Do is repeated at once, which hits a server that is down or throttling 5 times in a row; wait between attempts`
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func get(url string) (body []byte, retryable bool, err error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, true, err
	}
	return nil, resp.StatusCode >= 500, errors.New(resp.Status)
}

func byFlag(url string) ([]byte, error) {
	var last error
	for attempt := 1; attempt <= 3; attempt++ { // want `a failed get is repeated at once`
		body, retryable, err := get(url)
		if err == nil {
			return body, nil
		}
		last = err
		if !retryable {
			break
		}
	}
	return nil, last
}

func waits(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 5; attempt++ {
		if attempt > 0 {
			time.Sleep(time.Second)
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func pause(n int) { time.Sleep(time.Duration(n) * time.Second) }

func waitsInHelper(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 5; attempt++ {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		pause(attempt)
	}
	return nil, err
}

func onlyOnce(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 2 {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
	}
	return nil, err
}

var errStale = errors.New("stale connection")

func staleConnection(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 5 {
		resp, err = client.Do(req)
		if !errors.Is(err, errStale) {
			return resp, err
		}
	}
	return nil, err
}

type broker struct{ http *http.Client }

type cluster struct{ brokers []*broker }

func (c *cluster) leastLoaded() *broker {
	if len(c.brokers) == 0 {
		return nil
	}
	return c.brokers[0]
}

// Each round asks another one.
func eachBroker(c *cluster, req *http.Request) (resp *http.Response, err error) {
	for b := c.leastLoaded(); b != nil; b = c.leastLoaded() {
		resp, err = b.http.Do(req)
		if err == nil {
			return resp, nil
		}
		c.brokers = c.brokers[1:]
	}
	return nil, err
}
