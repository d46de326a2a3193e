package open

import (
	"net/http"
	"time"
)

func plainly(c *http.Client, req *http.Request) (*http.Response, error) {
	req.URL.Scheme = "http"
	return c.Do(req)
}

// The other way is taken only where the first one failed: what the first one
// answers stays open.
func withFallback(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = c.Do(req) // want `resp stays open when c.Do is repeated`
		if err != nil && req.URL.Scheme == "https" {
			resp, err = plainly(c, req)
		}
		if err != nil || resp.StatusCode >= 500 {
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

func closedBesideFallback(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = c.Do(req)
		if err != nil && req.URL.Scheme == "https" {
			resp, err = plainly(c, req)
		}
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		if err == nil {
			resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Each answer is closed before the next question is asked.
func twoSteps(c *http.Client, first, second *http.Request) (err error) {
	for range 3 {
		var login, answer *http.Response
		if login, err = c.Do(first); err != nil {
			time.Sleep(time.Second)
			continue
		}
		login.Body.Close()
		if answer, err = c.Do(second); err != nil {
			time.Sleep(time.Second)
			continue
		}
		answer.Body.Close()
		if answer.StatusCode < 500 {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
