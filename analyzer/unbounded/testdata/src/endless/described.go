package endless

import (
	"net/http"
	"time"
)

type description struct {
	Count uint
	Err   error
}

type transport struct {
	next  http.RoundTripper
	again func(description) bool
}

// What decides is told how many attempts there were, and may stop at any number.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for count := uint(1); ; count++ {
		resp, err := t.next.RoundTrip(req)
		made := description{Count: count, Err: err}
		again := t.again(made)
		if !again {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}
