package loops

import (
	"net/http"
	"time"
)

type remark struct{ Code int }

type namedError struct{ Message string }

func fetchNamed(url string) (*http.Response, *namedError) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, &namedError{err.Error()}
	}
	return resp, nil
}

func fetchNoted(url string) (*http.Response, *remark) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, nil
	}
	return resp, &remark{resp.StatusCode}
}

// The failure is told by what is named an error, and is none of Go's.
func namedFailure(url string) *http.Response {
	for range 3 {
		resp, failed := fetchNamed(url)
		if failed == nil {
			return resp
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying fetchNamed`
	}
	return nil
}

// What comes beside the answer is no failure.
func notedBeside(url string) *http.Response {
	for range 3 {
		resp, with := fetchNoted(url)
		if with == nil {
			return resp
		}
		time.Sleep(time.Second)
	}
	return nil
}
