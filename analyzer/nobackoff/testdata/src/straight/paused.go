package straight

import (
	"context"
	"net/http"
	"time"
)

type pacer interface {
	Hold(ctx context.Context, d time.Duration) error
}

// The pause is no operation, whatever becomes of the request.
func held(ctx context.Context, p pacer, client *http.Client, req *http.Request, again func(*http.Response) bool) error {
	for {
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		if !again(resp) {
			return nil
		}
		if err := p.Hold(ctx, time.Second); err != nil {
			continue
		}
		return nil
	}
}
