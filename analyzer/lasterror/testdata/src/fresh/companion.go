package fresh

import (
	"errors"
	"net/http"
	"time"
)

type server struct{ ready chan struct{} }

func start(client *http.Client, url string) (*server, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	return &server{ready: make(chan struct{})}, resp.Body.Close()
}

// Where there is no server the attempts have failed; past that there is one,
// and what is lost then is no error of theirs.
func started(client *http.Client, url string) (s *server, err error) {
	for range 3 {
		if s, err = start(client, url); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if s == nil {
		return nil, errors.New("too many attempts") // want `gives up without the last error from start`
	}
	select {
	case <-s.ready:
		return s, nil
	case <-time.After(time.Minute):
		return nil, errors.New("it was not ready in time")
	}
}

// What is nil until an attempt succeeds tells whether one has.
func startedOrNot(client *http.Client, url string) (*server, error) {
	var s *server = nil
	for n := 0; n < 3; n++ {
		made, err := start(client, url)
		if err == nil {
			s = made
			break
		}
		time.Sleep(time.Second)
	}
	if s == nil {
		return nil, errors.New("too many attempts") // want `gives up without the last error from start`
	}
	return s, nil
}

// It may have been made before.
func startedAnyhow(client *http.Client, url string, s *server) (*server, error) {
	for n := 0; n < 3; n++ {
		made, err := start(client, url)
		if err == nil {
			s = made
			break
		}
		time.Sleep(time.Second)
	}
	return s, nil // want `returns nil when the attempts are used up`
}
