package fix

import (
	"net/http"
	"time"
)

func constant(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `the same number`
	}
	return nil, err
}

func doubling(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		<-time.After(delay) // want `growing but the same`
		delay *= 2
	}
	return nil, err
}

// Without the max, the wait before the first attempt would be none, and
// rand.N panics.
func linear(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Duration(i) * time.Second) // want `growing but the same`
	}
	return nil, err
}

func fromOne(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Duration(i+1) * time.Second) // want `growing but the same`
	}
	return nil, err
}

type client struct {
	http  *http.Client
	delay time.Duration
}

// A setting may be zero.
func (c *client) setting(req *http.Request) (resp *http.Response, err error) {
	for i := range 3 {
		if resp, err = c.http.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(c.delay << i) // want `growing but the same`
	}
	return nil, err
}

// A number of nanoseconds without a type has to be left alone.
func untyped(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(100_000_000) // want `the same number`
	}
	return nil, err
}

// So has a ticker: it is set once.
func ticking(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		<-ticker.C // want `the same number`
	}
	return nil, err
}

type batch struct {
	retryAttempts uint
	retryDelay    time.Duration
}

func schedule(b *batch, limit time.Duration) {
	b.retryDelay = min(time.Second<<b.retryAttempts, limit) // want `grows but is the same`
}
