package endless

import (
	"context"
	"errors"
	"net/http"
	"time"
)

var errBusy = errors.New("busy")

func forEver(client *http.Client, req *http.Request) (*http.Response, error) {
	for { // want `retries client.Do for as long as it fails, with no limit on attempts, no deadline and no look at a context, so that a caller waits for ever on a server that is down; bound the attempts and the time`
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		if !errors.Is(err, errBusy) {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}

func counted(client *http.Client, req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		if n == 3 {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}

func timed(client *http.Client, req *http.Request) (*http.Response, error) {
	start := time.Now()
	for {
		resp, err := client.Do(req)
		if err == nil || time.Since(start) > time.Minute {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

func looksAtContext(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

func stopped(stop chan struct{}, client *http.Client, req *http.Request) (*http.Response, error) {
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		select {
		case <-stop:
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// A function without results lives as long as its owner.
func reconnect(client *http.Client, req *http.Request) {
	for {
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
			return
		}
		time.Sleep(time.Second)
	}
}
