// Package handed repeats what its own functions hand in.
package handed

import (
	"errors"
	"net/http"
	"os"
	"time"
)

func cleanUp(dir string) error { return removeAgain(dir, os.RemoveAll, time.Second) }

// Silent: nothing but files is handed in.
func removeAgain(dir string, remove func(string) error, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for {
		err := remove(dir)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func fetch(c *http.Client, url string) error {
	return askAgain(url, func(url string) error {
		resp, err := c.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, time.Second)
}

func askAgain(url string, ask func(string) error, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for { // want `retries every error from ask`
		err := ask(url)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

var errStale = errors.New("stale")

type cache struct{ client *http.Client }

// Silent: what failed is given to a function that answers with nothing where
// there shall be another attempt.
func (c *cache) prepared(url string) error {
	for {
		resp, err := c.client.Get(url)
		if err == nil {
			return resp.Body.Close()
		}
		err = c.renewed(url, err)
		if err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *cache) renewed(url string, failed error) error {
	if !errors.Is(failed, errStale) {
		return failed
	}
	return nil
}
