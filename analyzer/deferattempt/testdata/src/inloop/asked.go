package inloop

import (
	"context"
	"net/http"
	"time"
)

// What is asked again and again until it is there leaves as much behind as what
// failed.
func state(ctx context.Context, client *http.Client, url string) error {
	for {
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		defer resp.Body.Close() // want `so that each client.Get leaves its resource open`
		if resp.Header.Get("X-State") == "done" {
			return nil
		}
		timer := time.NewTimer(time.Second)
		defer timer.Stop() // want `so that each client.Get leaves its resource open`
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// One attempt is one call of a literal.
func stateWithin(ctx context.Context, client *http.Client, url string) error {
	for {
		done, err := func() (bool, error) {
			resp, err := client.Get(url)
			if err != nil {
				return false, err
			}
			defer resp.Body.Close()
			return resp.Header.Get("X-State") == "done", nil
		}()
		if err != nil || done {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
