package judged

import (
	"errors"
	"io"
	"log"
	"net/http"
	"time"
)

var stop bool

func decide(err error) {
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		stop = true
	}
}

// Silent: what is told the error sets what the loop asks.
func sets(url string) (resp *http.Response, err error) {
	for i := 0; i < 3 && !stop; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		decide(err)
		time.Sleep(time.Second)
	}
	return nil, err
}

type state struct {
	stop   bool
	failed string
}

func (s *state) decide(err error) { s.stop = !errors.Is(err, io.ErrUnexpectedEOF) }

func (s *state) note(err error) { s.failed = err.Error() }

// Silent: the same with a field.
func (s *state) get(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		s.decide(err)
		if s.stop {
			break
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// What is set is not what the loop asks.
func (s *state) noted(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `retries every error from http.Get`
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		s.note(err)
		if s.stop {
			log.Print("stopped")
			break
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
