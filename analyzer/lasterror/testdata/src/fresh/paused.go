package fresh

import (
	"context"
	"errors"
	"net/http"
	"time"
)

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// The pause says that the context has ended, which is no success.
func paused(ctx context.Context, client *http.Client, req *http.Request) error {
	for {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		if ended := pause(ctx, time.Second); ended != nil {
			return nil // want `returns nil when the context ends, so that a failed client.Do looks like success`
		}
	}
}

func told(ctx context.Context, client *http.Client, req *http.Request) error {
	for {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		if ended := pause(ctx, time.Second); ended != nil {
			return errors.Join(ended, err)
		}
	}
}

// What ended is not the pause, and the one who asks knows.
func closed(client *http.Client, req *http.Request, open func() error) error {
	for {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		if shut := open(); shut != nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}
