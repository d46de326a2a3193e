package endless

import (
	"net/http"
	"regexp"
	"time"
)

type patient struct {
	client *http.Client
	decide func(error) (bool, time.Duration)
}

// The policy says for how long, and may count.
func (p *patient) do(req *http.Request) (resp *http.Response, err error) {
	for {
		resp, err = p.client.Do(req)
		if err == nil {
			break
		}
		if retry, delay := p.decide(err); retry {
			time.Sleep(delay)
			continue
		}
		break
	}
	return resp, err
}

var busy = regexp.MustCompile("busy")

// A pattern keeps no count.
func whileBusy(client *http.Client, req *http.Request) (*http.Response, error) {
	for { // want `retries client.Do for as long as it fails`
		resp, err := client.Do(req)
		if err != nil {
			if busy.MatchString(err.Error()) {
				time.Sleep(3 * time.Second)
				continue
			}
			return nil, err
		}
		return resp, nil
	}
}

// An error that is made of the answer comes back when it is of a kind.
func whileLimited(client *http.Client, req *http.Request) (*http.Response, error) {
	for { // want `retries client.Do for as long as it fails`
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		resp.Body.Close()
		if resp.StatusCode >= 400 && resp.StatusCode <= 599 {
			err = errorOf(resp)
			if err == nil {
				err = http.ErrNotSupported
			} else if isRetryable(err) {
				time.Sleep(time.Second)
				continue
			}
			return resp, err
		}
		return resp, nil
	}
}

type limited struct{ code int }

func (*limited) Error() string { return "limited" }

func errorOf(resp *http.Response) error {
	if resp.StatusCode == 401 {
		return nil
	}
	return &limited{resp.StatusCode}
}

func isRetryable(err error) bool {
	l, ok := err.(*limited)
	return ok && l.code == 429
}

// Answers that are made of each other.
func first(again bool, err error) bool  { return again || err != nil }
func second(again bool, err error) bool { return again && err != nil }

func inTurn(client *http.Client, req *http.Request) error {
	one, two := true, false
	for { // want `retries client.Do for as long as it fails`
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		one = first(two, err)
		two = second(one, err)
		if !one && err != http.ErrServerClosed {
			return err
		}
		time.Sleep(time.Second)
	}
}
