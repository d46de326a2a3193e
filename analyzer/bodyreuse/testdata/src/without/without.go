// Package without repeats what has no body.
package without

import (
	"io"
	"net/http"
	"time"
)

func once(c *http.Client, url string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPut, url, body)
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func onlyWithout(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body)
		if body == nil && resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

func leavesWith(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body)
		if err == nil || body != nil {
			break
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func always(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body) // want `body is read to its end by the first attempt`
		if body != nil && resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}
