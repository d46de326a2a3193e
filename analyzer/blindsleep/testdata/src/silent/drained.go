package silent

import (
	"context"
	"net/http"
	"time"
)

// pause takes out of the timer what may be in it, and does not wait for it.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	select {
	case <-ctx.Done():
		if !timer.Stop() {
			<-timer.C
		}
	case <-timer.C:
	}
}

func drained(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		pause(ctx, time.Second)
	}
	return nil, err
}

// A timer without a time to wait is there to be set later.
func reused(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = ask(ctx, client, req); err == nil {
			return resp, nil
		}
		pause(ctx, time.Second)
	}
	return nil, err
}

func ask(ctx context.Context, client *http.Client, req *http.Request) (*http.Response, error) {
	timer := time.NewTimer(0)
	<-timer.C
	timer.Reset(time.Millisecond)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
	}
	return client.Do(req)
}

// Nobody notices ten nanoseconds.
func tiny(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(10)
	}
	return nil, err
}

type cluster struct {
	servers map[string]*http.Client
}

func (c *cluster) best() *http.Client { return c.servers["best"] }

func (c *cluster) remove(*http.Client) {}

// It waits until there is a server, and a failure goes to the next one at once.
func (c *cluster) get(ctx context.Context, req *http.Request) (*http.Response, error) {
	for range 9 {
		server := c.best()
		if server == nil {
			time.Sleep(time.Second)
			continue
		}
		resp, err := server.Do(req)
		if err != nil {
			c.remove(server)
			continue
		}
		return resp, nil
	}
	return nil, http.ErrServerClosed
}
