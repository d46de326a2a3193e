// Package flag is told by the attempt whether there is another one.
package flag

import (
	"net/http"
	"time"
)

type state struct {
	client *http.Client
	tries  int
}

// Silent: who makes the attempt says whether to make another, and counts them.
func fetch(s *state, url string) (*http.Response, error) {
	for {
		resp, retry, err := s.attempt(url)
		if err != nil {
			return nil, err
		}
		if retry {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
}

func (s *state) attempt(url string) (*http.Response, bool, error) {
	resp, err := s.client.Get(url)
	if err == nil {
		return resp, false, nil
	}
	if s.tries++; s.tries > 3 {
		return nil, false, err
	}
	return nil, true, nil
}

func forEver(s *state, url string) (*http.Response, error) {
	for { // want `retries client.Get for as long as it fails`
		resp, err := s.client.Get(url)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
}
