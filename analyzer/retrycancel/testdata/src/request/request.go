package request

import (
	"net"
	"net/http"
	"time"
)

func blind(rt http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	for range 3 { // want `retries rt.RoundTrip even when req.Context\(\) has ended, .*; check req.Context\(\).Err\(\) before the next one`
		if resp, err = rt.RoundTrip(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func asked(rt http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = rt.RoundTrip(req); err == nil || req.Context().Err() != nil {
			return resp, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func selects(rt http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = rt.RoundTrip(req); err == nil {
			return resp, err
		}
		select {
		case <-time.After(time.Second):
		case <-req.Context().Done():
			return nil, err
		}
	}
	return nil, err
}

// The helper is given the channel.
func delayed(rt http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = rt.RoundTrip(req); err == nil {
			return resp, err
		}
		if !delay(time.Second, req.Context().Done()) {
			return nil, err
		}
	}
	return nil, err
}

func delay(d time.Duration, cancel <-chan struct{}) bool {
	select {
	case <-time.After(d):
		return true
	case <-cancel:
		return false
	}
}

// The error of an ended context is none of the network's.
func network(rt http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		again := false
		resp, err = rt.RoundTrip(req)
		if failed, ok := err.(net.Error); ok {
			again = !failed.Timeout()
		}
		if !again {
			break
		}
		time.Sleep(time.Second)
	}
	return resp, err
}
