package silent

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var errLater = errors.New("later")

// Only what may pass is asked for again.
func sorted(c *http.Client, url string) (retry bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return false, err
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 {
		return true, nil
	}
	if resp.StatusCode >= 400 {
		return false, fmt.Errorf("status %d", resp.StatusCode)
	}
	return false, nil
}

func told(c *http.Client, url string) error {
	for range 3 {
		retry, err := sorted(c, url)
		if !retry {
			return err
		}
		time.Sleep(time.Second)
	}
	return errLater
}

// What the failure is called decides, and nobody sees from here how.
func named(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode >= 400 {
		return statusError{resp.StatusCode}
	}
	return nil
}

type statusError struct{ code int }

func (e statusError) Error() string { return fmt.Sprint("status ", e.code) }

func byName(c *http.Client, url string) (err error) {
	for range 3 {
		err = named(c, url)
		var status statusError
		if !errors.As(err, &status) || status.code < 500 {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// The status decides nothing: it waits for what the answer says.
func ready(c *http.Client, url string) (done bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return false, err
	}
	resp.Body.Close()
	return resp.Header.Get("X-Ready") != "", nil
}

func polled(c *http.Client, url string) error {
	for range 3 {
		done, err := ready(c, url)
		if err != nil || done {
			return err
		}
		time.Sleep(time.Second)
	}
	return errLater
}

// A deferred literal may turn the answer into another one.
func deferred(c *http.Client, url string) (retry bool, err error) {
	defer func() {
		if err == nil && c.Timeout == 0 {
			retry = false
		}
	}()
	resp, err := c.Get(url)
	if err != nil {
		return false, err
	}
	resp.Body.Close()
	return resp.StatusCode != http.StatusOK, nil
}

func changed(c *http.Client, url string) error {
	for range 3 {
		retry, err := deferred(c, url)
		if err != nil || !retry {
			return err
		}
		time.Sleep(time.Second)
	}
	return errLater
}
