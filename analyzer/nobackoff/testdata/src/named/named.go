package named

import (
	"context"
	"errors"
	"net/http"
)

type errSkip struct{ error }

type errBroken struct{ error }

// What is named ends it; any other failure comes straight back.
func untilDone(ctx context.Context, fn func(context.Context) error, again bool) error {
	var first error
	done := false
	for !done { // want `a failed fn is repeated at once`
		err := fn(ctx)
		switch err.(type) {
		case nil, errSkip:
			done = true
		case errBroken:
			first, done = err, true
		default:
			if first == nil {
				first = err
			}
			if !again {
				done = true
			}
		}
		if ctx.Err() != nil {
			done = true
		}
	}
	return first
}

var errRefused = errors.New("refused")

func denied(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 5 { // want `a failed client.Do is repeated at once`
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		if errors.Is(err, errRefused) {
			return nil, err
		}
	}
	return nil, err
}

var errStale = errors.New("stale connection")

// Only the one failure that another attempt cures comes back.
func allowed(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 5 {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		if !errors.Is(err, errStale) {
			return nil, err
		}
	}
	return nil, err
}
