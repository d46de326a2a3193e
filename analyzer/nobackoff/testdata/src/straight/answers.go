package straight

import (
	"context"
	"errors"
	"net/http"
	"time"
)

type answer struct {
	resp *http.Response
	err  error
}

func query(client *http.Client, req *http.Request) (a answer) {
	a.resp, a.err = client.Do(req)
	return a
}

func inField(ctx context.Context, client *http.Client, req *http.Request) (a answer) {
	for i := 0; i < 3; i++ { // want `a failed query is repeated at once`
		if a = query(client, req); a.err == nil {
			return a
		}
		if ctx.Err() != nil {
			return a
		}
	}
	return a
}

// Silent: it waits.
func inFieldLater(client *http.Client, req *http.Request) (a answer) {
	for i := 0; i < 3; i++ {
		if a = query(client, req); a.err == nil {
			return a
		}
		time.Sleep(time.Second)
	}
	return a
}

// askWithin limits how long the other side may take.
func askWithin(client *http.Client, req *http.Request, limit time.Duration) (*http.Response, error) {
	done := make(chan answer, 1)
	go func() { done <- query(client, req) }()
	select {
	case a := <-done:
		return a.resp, a.err
	case <-time.After(limit):
		return nil, errors.New("timed out")
	}
}

func within(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `a failed askWithin is repeated at once`
		if resp, err = askWithin(client, req, time.Second); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// askLater waits after a failure, until it is told to stop.
func askLater(client *http.Client, req *http.Request, stop chan bool) (*http.Response, error) {
	resp, err := client.Do(req)
	if err != nil {
		select {
		case <-stop:
		case <-time.After(time.Second):
		}
	}
	return resp, err
}

func later(client *http.Client, req *http.Request, stop chan bool) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if resp, err = askLater(client, req, stop); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func isClosed(err error) bool { return errors.Is(err, http.ErrServerClosed) }

// All but one kind comes back.
func allButOne(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `a failed client.Do is repeated at once`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if isClosed(err) {
			return nil, err
		}
	}
	return nil, err
}

// Silent: one kind comes back, which another attempt may cure.
func onlyOne(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if resp, err = client.Do(req); !isClosed(err) {
			break
		}
	}
	return resp, err
}
