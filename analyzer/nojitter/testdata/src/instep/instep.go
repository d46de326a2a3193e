package instep

import (
	"math/rand/v2"
	"net/http"
	"time"
)

func constant(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `the wait before the next client.Do is the same number for every client, so that all who failed together come back together; draw it at random: rand.N\(delay\)`
	}
	return nil, err
}

func doubling(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `the wait before the next client.Do is growing but the same for every client`
		delay *= 2
	}
	return nil, err
}

func full(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(rand.N(delay))
		delay *= 2
	}
	return nil, err
}

func withJitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2) }

func inHelper(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(withJitter(time.Second << i))
	}
	return nil, err
}

// The caller may have added any jitter.
func given(client *http.Client, req *http.Request, delay time.Duration) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
	}
	return nil, err
}

// Too short to gather clients.
func tick(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Millisecond)
	}
	return nil, err
}
