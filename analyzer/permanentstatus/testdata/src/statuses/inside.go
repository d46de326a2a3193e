package statuses

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

var errStatus = errors.New("unexpected status")

// once makes the request and judges the answer.
func once(c *http.Client, url string) (body []byte, retry bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return nil, false, fmt.Errorf("asking: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, true, nil
	}
	body, err = io.ReadAll(resp.Body)
	return body, false, err
}

func told(c *http.Client, url string) ([]byte, error) {
	for range 3 {
		body, retry, err := once(c, url) // want `retries once even after a 400 or a 422`
		if err != nil {
			return nil, err
		}
		if !retry {
			return body, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errStatus
}

// literal leaves in the last round by an error that is made inside.
func literal(c *http.Client, req *http.Request) ([]byte, error) {
	for i := 0; i < 3; i++ {
		body, err, retry := func() ([]byte, error, bool) { // want `retries c.Do even after a 400 or a 422`
			resp, err := c.Do(req)
			if err != nil {
				return nil, err, false
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				if i < 2 {
					return nil, nil, true
				}
				return nil, fmt.Errorf("status %s", resp.Status), false
			}
			body, err := io.ReadAll(resp.Body)
			return body, err, false
		}()
		if err != nil {
			return nil, err
		}
		if retry {
			time.Sleep(time.Second)
			continue
		}
		return body, nil
	}
	return nil, errStatus
}
