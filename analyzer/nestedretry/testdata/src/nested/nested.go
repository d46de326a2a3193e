package nested

import (
	"net/http"
	"time"
)

func post(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 4 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func send(client *http.Client, req *http.Request) error {
	resp, err := post(client, req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func direct(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = post(client, req); err == nil { // want `what is retried here retries by itself, so that attempts multiply: 3 x 4 = 12 attempts: post -> client.Do; retry in one of the two places`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func deeper(client *http.Client, req *http.Request, n int) (err error) {
	for i := 0; i < n; i++ {
		if err = send(client, req); err == nil { // want `n x 4 attempts: send -> post -> client.Do`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func once(client *http.Client, req *http.Request) (*http.Response, error) { return client.Do(req) }

func flat(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = once(client, req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// A loop over items is no retry, whatever is inside.
func each(client *http.Client, reqs []*http.Request) error {
	for _, req := range reqs {
		if _, err := post(client, req); err != nil {
			return err
		}
	}
	return nil
}

// The error inside goes nowhere.
func bestEffort(client *http.Client, req, audit *http.Request) (*http.Response, error) {
	post(client, audit)
	return client.Do(req)
}

func notDriven(client *http.Client, req, audit *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = bestEffort(client, req, audit); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// What a wrapper runs beside its parameter is that wrapper's own retry, and not
// one inside it.
func wrapper(client *http.Client, req *http.Request, then func(*http.Response) error) (err error) {
	for i := 0; i < 3; i++ {
		var resp *http.Response
		if resp, err = client.Do(req); err == nil {
			if err = then(resp); err == nil {
				return nil
			}
		}
		time.Sleep(time.Second)
	}
	return err
}

func wrapped(client *http.Client, req *http.Request, then func(*http.Response) error) error {
	return wrapper(client, req, then)
}

// Each round may need all of the attempts inside before it is told to come later.
func throttled(client *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := post(client, req) // want `3 x 4 = 12 attempts: post -> client.Do`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, http.ErrHandlerTimeout
}
