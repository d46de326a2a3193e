package answers

import (
	"errors"
	"net/http"
	"time"
)

// The attempt after it gives what the function answers, and no more is done.
func post(c *http.Client, url string, sequence int) (status string, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return
	}
	resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusBadGateway:
		if sequence < 3 {
			status, err = post(c, url, sequence+1)
		} else {
			err = errors.New("too many attempts")
		}
	case http.StatusTooManyRequests:
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying c.Get`
		status, err = post(c, url, sequence+1)
	default:
		err = errors.New(resp.Status)
	}
	return
}

func named(c *http.Client, url string) (err error) {
	if _, err = c.Get(url); err != nil {
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying c.Get`
		err = named(c, url)
	}
	return err
}

// Something is made of what the next one answers: it is a sum over steps.
func total(c *http.Client, url string, left int) (n int, err error) {
	resp, err := c.Get(url)
	if err != nil {
		time.Sleep(time.Second)
		n, err = total(c, url, left-1)
		n++
	} else {
		resp.Body.Close()
	}
	return n, err
}
