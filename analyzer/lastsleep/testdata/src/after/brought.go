package after

import (
	"context"
	"net/http"
	"time"
)

func pause(ctx context.Context) error {
	select {
	case <-time.After(time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func get(ctx context.Context, client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if waitErr := pause(ctx); waitErr != nil { // want `waits after the last failed client.Do as well`
			return nil, waitErr
		}
	}
	return nil, err
}
