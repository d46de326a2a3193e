package silent

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

var errGaveUp = errors.New("gave up")

func read(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(wait(resp))
	}
	return nil, errGaveUp
}

func wait(resp *http.Response) time.Duration {
	value := resp.Header.Get("Retry-After")
	if n, err := strconv.Atoi(value); err == nil {
		return min(time.Duration(n)*time.Second, time.Minute)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(time.Until(at), time.Minute)
	}
	return time.Second
}

// Every status comes back: another check's business.
func all(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusOK {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

// A number that is shown, not waited for.
func shown(resp *http.Response) (int, error) {
	return strconv.Atoi(resp.Header.Get("Retry-After"))
}

func policy(c *http.Client, req *http.Request, decide func(*http.Response) time.Duration) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(decide(resp))
	}
	return nil, errGaveUp
}

// Whether 429 is one of them is not said.
func failing(c *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i <= n; i++ {
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode >= 400 {
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}
