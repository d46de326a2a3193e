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
