package endless

import (
	"errors"
	"io"
	"net/http"
	"time"
)

type corruption struct{ error }

func isCorruption(err error) bool {
	_, ok := errors.AsType[corruption](err)
	return ok
}

func (l *lock) entry() (*reply, error) {
	resp, err := l.client.Get("http://localhost/entry")
	if err != nil {
		return nil, err
	}
	return &reply{}, resp.Body.Close()
}

// It reads on where it went well: no error is of no kind.
func (l *lock) replay(apply func(*reply) error) error {
	for {
		r, err := l.entry()
		switch {
		case err == io.EOF:
			return nil
		case isCorruption(err):
			return err
		case err != nil:
			return err
		}
		if err := apply(r); err != nil {
			return err
		}
	}
}

// The twin comes back where it did not.
func (l *lock) insist() error {
	for { // want `retries l.entry for as long as it fails`
		_, err := l.entry()
		if !isCorruption(err) {
			return err
		}
		time.Sleep(time.Second)
	}
}

type session struct {
	client *http.Client
	lost   chan struct{}
	conn   *reply
}

func (s *session) open() (*reply, error) {
	resp, err := s.client.Get("http://localhost/open")
	if err != nil {
		return nil, err
	}
	return &reply{}, resp.Body.Close()
}

func start(client *http.Client) *session {
	s := &session{client: client, lost: make(chan struct{})}
	go s.keep()
	return s
}

func (s *session) keep() {
	for range s.lost {
		s.conn = s.reopened()
	}
}

// Only the goroutine waits for it, for as long as the session lives.
func (s *session) reopened() *reply {
	for {
		conn, err := s.open()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return conn
	}
}

// Somebody waits for this one.
func Opened(s *session) *reply {
	for { // want `retries s.open for as long as it fails`
		conn, err := s.open()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return conn
	}
}

var (
	errNotFound = errors.New("not found")
	errTaken    = errors.New("taken")
)

// What is not there yet is waited for.
func (l *lock) appears() error {
	for {
		_, err := l.entry()
		if err != errNotFound {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (l *lock) untaken() error {
	for { // want `retries l.entry for as long as it fails`
		_, err := l.entry()
		if err != errTaken {
			return err
		}
		time.Sleep(time.Second)
	}
}

// The delay that has become long enough ends it, in one condition with the look.
func (l *lock) throttled(req *http.Request) (*http.Response, error) {
	delay := time.Second
	for {
		resp, err := l.client.Do(req)
		if err != nil {
			return nil, err
		}
		if delay > time.Minute || resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(delay)
		delay *= 2
	}
}

func (l *lock) throttledForEver(req *http.Request) (*http.Response, error) {
	for { // want `retries Do for as long as it fails|retries client.Do for as long as it fails`
		resp, err := l.client.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusOK || resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
