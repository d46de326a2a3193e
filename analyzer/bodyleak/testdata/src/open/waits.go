package open

import (
	"context"
	"net/http"
	"slices"
	"time"
)

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

func pauseFor(ctx context.Context, resp *http.Response) bool {
	if resp == nil || resp.Header.Get("Retry-After") == "" {
		return false
	}
	return pause(ctx, time.Second)
}

// The answers of the waits say nothing of what the server answered.
func leaksBehindWaits(ctx context.Context, client *http.Client, req *http.Request, codes []int) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `resp stays open when client.Do is repeated`
		if err == nil && !slices.Contains(codes, resp.StatusCode) {
			return resp, nil
		}
		waited := pauseFor(ctx, resp)
		if !waited && !pause(ctx, time.Second) {
			return resp, ctx.Err()
		}
	}
	return resp, err
}

// Silent: what the last attempt left is closed before the next one.
func closesFirst(ctx context.Context, client *http.Client, req *http.Request, codes []int) (resp *http.Response, err error) {
	for range 3 {
		drain(resp)
		resp, err = client.Do(req)
		if err == nil && !slices.Contains(codes, resp.StatusCode) {
			return resp, nil
		}
		waited := pauseFor(ctx, resp)
		if !waited && !pause(ctx, time.Second) {
			return resp, ctx.Err()
		}
	}
	return resp, err
}

// Silent: without a body there is nothing to close.
func closesWhatIsThere(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}
