package textswitch

import (
	"errors"
	"net/http"
	"regexp"
	"time"
)

var (
	tooHigh = regexp.MustCompile("too high")
	late    = regexp.MustCompile("timed out")

	errTooHigh = errors.New("too high")
)

// The first text says which error it is. It is the second by which there is
// another attempt.
func translated(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		switch {
		case err == nil:
			return resp, nil
		case tooHigh.MatchString(err.Error()):
			return nil, errTooHigh
		case late.MatchString(err.Error()): // want `whether to retry is decided by the text of err`
			time.Sleep(time.Second)
			continue
		default:
			return nil, err
		}
	}
	return nil, err
}

// The only text there is keeps it from another attempt.
func excluded(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		switch {
		case err == nil:
			return resp, nil
		case tooHigh.MatchString(err.Error()): // want `whether to retry is decided by the text of err`
			return nil, errTooHigh
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
