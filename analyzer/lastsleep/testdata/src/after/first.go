package after

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Asking for the first round says nothing about the last.
func first(ctx context.Context, client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = client.Do(req.WithContext(ctx)); err == nil {
			break
		}
		if i == 0 && errors.Is(err, ctx.Err()) {
			continue
		}
		select { // want `waits after the last failed client.Do as well`
		case <-time.After(time.Second):
			continue
		case <-ctx.Done():
			return nil, err
		}
	}
	return resp, err
}
