package statuses

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var errGaveUp = errors.New("gave up")

func onlyOK(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := c.Do(req) // want `retries c.Do even after a 400 or a 422, which will be answered the same way 3 times; retry 429, 502, 503 and 504 only`
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

func asError(c *http.Client, req *http.Request) error {
	var last error
	for attempt := 0; attempt < 5; attempt++ {
		resp, err := c.Do(req) // want `retries c.Do even after a 400`
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode/100 == 2 {
				return nil
			}
			err = fmt.Errorf("status %d", resp.StatusCode)
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}
