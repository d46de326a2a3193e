package loops

import (
	"errors"
	"net/http"
	"time"
)

var errExhausted = errors.New("exhausted")

func parseAnswer(resp *http.Response) (string, error) {
	if resp.ContentLength == 0 {
		return "", errExhausted
	}
	return resp.Status, nil
}

// The caller says what else is a success, another function reads the answer, and
// the status stands in a variable.
func validated(c *http.Client, url string, ok func(*http.Response, string) bool) (resp *http.Response, status int, err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying c.Get`
		}
		resp, err = c.Get(url)
		if err != nil {
			return nil, status, err
		}
		var text string
		text, err = parseAnswer(resp)
		if err != nil {
			return nil, status, err
		}
		status = resp.StatusCode
		if status != http.StatusOK {
			if ok != nil && ok(resp, text) {
				return resp, status, nil
			}
			if status == http.StatusTooManyRequests {
				continue
			}
			return nil, status, errExhausted
		}
		break
	}
	return resp, status, nil
}

// Silent: the work was begun, and is asked for until it is done.
func untilDone(c *http.Client, url string) (resp *http.Response, err error) {
	for {
		resp, err = c.Get(url)
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if status != http.StatusAccepted {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
