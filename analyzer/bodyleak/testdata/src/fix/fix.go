package fix

import (
	"errors"
	"net/http"
	"time"
)

var errGaveUp = errors.New("gave up")

func status(client *http.Client, req *http.Request) error {
	for range 3 {
		resp, err := client.Do(req) // want `resp stays open`
		if err == nil && resp.StatusCode < 500 {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return errGaveUp
}

func failureFirst(client *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := client.Do(req) // want `resp stays open`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode >= 500 {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errGaveUp
}

func delay(resp *http.Response) time.Duration {
	if resp != nil && resp.Header.Get("Retry-After") != "" {
		return time.Minute
	}
	return time.Second
}

func usedToTheEnd(client *http.Client, req *http.Request) error {
	for range 3 {
		resp, err := client.Do(req) // want `resp stays open`
		if err != nil {
			return err
		}
		if resp.StatusCode < 500 {
			return resp.Body.Close()
		}
		time.Sleep(delay(resp))
	}
	return errGaveUp
}

// The last response is returned: no fix.
func returned(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `resp stays open`
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// Control goes back from an else: no fix.
func chosen(client *http.Client, req *http.Request) error {
	for range 3 {
		resp, err := client.Do(req) // want `resp stays open`
		if err != nil {
			return err
		}
		if resp.StatusCode < 500 {
			return resp.Body.Close()
		} else {
			time.Sleep(time.Second)
			continue
		}
	}
	return errGaveUp
}
