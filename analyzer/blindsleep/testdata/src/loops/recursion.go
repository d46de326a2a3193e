package loops

import (
	"errors"
	"net/http"
	"time"
)

// The counter is taken down before the function calls itself.
func counted(retries int, wait time.Duration, client *http.Client, url string) (*http.Response, error) {
	resp, err := client.Get(url)
	if err != nil {
		if !transient(err) {
			return nil, err
		}
		if retries--; retries > 0 {
			time.Sleep(wait) // want `waits with time.Sleep before retrying client.Get`
			return counted(retries, wait, client, url)
		}
	}
	return resp, err
}

func transient(err error) bool { return err.Error() != "" }

type retrier struct{ attempts uint }

// The error of the attempt before is handed on beside the counter, and it is the
// answer that tells a failure.
func (r *retrier) run(send func(*http.Request) (*http.Response, error), req *http.Request, attempt uint, last error) (*http.Response, error) {
	if attempt >= r.attempts {
		return nil, last
	}
	resp, err := send(req)
	if err != nil {
		return nil, err
	}
	if r.shouldRetry(resp) {
		defer resp.Body.Close()
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying send, so a cancelled req.Context\(\) still waits it out`
		return r.run(send, req, attempt+1, decode(resp))
	}
	return resp, nil
}

func (r *retrier) shouldRetry(resp *http.Response) bool {
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError
}

func decode(resp *http.Response) error { return errors.New(resp.Status) }

// A tree is walked, each step with the next of its pages.
func (r *retrier) walk(client *http.Client, url string, depth uint, last error) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if next := resp.Header.Get("Link"); next != "" && depth < r.attempts {
		time.Sleep(time.Second)
		return r.walk(client, next, depth+1, decode(resp))
	}
	return last
}
