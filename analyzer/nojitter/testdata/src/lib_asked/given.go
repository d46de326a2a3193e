package lib_asked

import (
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// What it is given is made in one place.
func inOnePlace(url string, b backoff.BackOff) (resp *http.Response, err error) {
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff()) // want `is the same number for every client`
	}
	return nil, err
}

func start(url string) (*http.Response, error) {
	return inOnePlace(url, backoff.NewConstantBackOff(time.Second))
}

type link struct {
	url     string
	backoff backoff.BackOff
}

func newLink(url string) *link {
	return &link{url: url, backoff: backoff.NewConstantBackOff(time.Second)}
}

func (l *link) dial() (resp *http.Response, err error) {
	for range 5 {
		if resp, err = http.Get(l.url); err == nil {
			return resp, nil
		}
		time.Sleep(l.backoff.NextBackOff()) // want `is the same number for every client`
	}
	return nil, err
}

type either struct {
	url     string
	backoff backoff.BackOff
}

func newEither(url string) *either { return &either{url, backoff.NewExponentialBackOff()} }

func newSteady(url string) *either {
	return &either{url: url, backoff: backoff.NewConstantBackOff(time.Second)}
}

// Silent: one of the two is drawn at random.
func (e *either) dial() (resp *http.Response, err error) {
	for range 5 {
		if resp, err = http.Get(e.url); err == nil {
			return resp, nil
		}
		time.Sleep(e.backoff.NextBackOff())
	}
	return nil, err
}

// Silent: anybody may give one.
func Exported(url string, b backoff.BackOff) (resp *http.Response, err error) {
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff())
	}
	return nil, err
}

func startExported(url string) (*http.Response, error) {
	return Exported(url, backoff.NewConstantBackOff(time.Second))
}
