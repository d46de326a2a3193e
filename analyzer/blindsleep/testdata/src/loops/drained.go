package loops

import (
	"context"
	"net/http"
	"time"
)

// What is received after the timer was set is waited for.
func waited(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	timer := time.NewTimer(0)
	<-timer.C
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		timer.Reset(time.Second)
		<-timer.C // want `waits 1s for a timer alone before retrying client.Do`
	}
	return nil, err
}

// It waits after the failure of the first of two steps.
func firstOfTwo(ctx context.Context, client *http.Client, first, second *http.Request) (resp *http.Response, err error) {
	for range 9 {
		if resp, err = client.Do(first); err != nil {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying`
			continue
		}
		resp.Body.Close()
		if resp, err = client.Do(second); err == nil {
			return resp, nil
		}
	}
	return nil, err
}
