package statuses

import (
	"net/http"
	"time"
)

func wide(code int) bool { return code >= http.StatusBadRequest }

func byNumber(c *http.Client, url string) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.Get(url) // want `retries c.Get even after a 400 or a 422`
		if err != nil {
			return nil, err
		}
		if !wide(resp.StatusCode) || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

func again(resp *http.Response, err error, attempt int) bool {
	if attempt > 3 {
		return false
	}
	if err != nil {
		return true
	}
	return resp.StatusCode/100 != 2
}

func byPolicy(c *http.Client, url string) (resp *http.Response, err error) {
	for i := 0; ; i++ {
		resp, err = c.Get(url) // want `retries c.Get even after a 400 or a 422`
		if !again(resp, err, i) {
			return resp, err
		}
		if resp != nil {
			resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
}

func transient(code int) bool {
	switch code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	}
	return code == http.StatusGatewayTimeout
}

// Silent: only those that may pass.
func byList(c *http.Client, url string) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.Get(url)
		if err != nil {
			return nil, err
		}
		if !transient(resp.StatusCode) || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

var codes = []int{429, 503}

func listed(code int) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}

// Silent: what is in the list is not known.
func byTable(c *http.Client, url string) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.Get(url)
		if err != nil {
			return nil, err
		}
		if !listed(resp.StatusCode) || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
