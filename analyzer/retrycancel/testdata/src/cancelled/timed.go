package cancelled

import (
	"context"
	"net/http"
	"time"
)

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The time is up, and every attempt fails from then on.
func timed(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for { // want `retries get even when ctx has ended`
		if err := get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// Each attempt has a time of its own.
func timedEach(url string) error {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		err := get(ctx, url)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// No time was set.
func untimed(url string) error {
	ctx := context.Background()
	for range 3 {
		if err := get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return nil
}
