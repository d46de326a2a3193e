package instep

import (
	"context"
	"net/http"
	"time"
)

// A ticker is the pace of a poll.
func untilUp(ctx context.Context, client *http.Client) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			resp, err := client.Get("http://localhost/health")
			if err != nil {
				continue
			}
			return resp.Body.Close()
		}
	}
}
