package lib_polls

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// The steady pace is that of a poll, which also goes on after a failure.
func ready(ctx context.Context, client *http.Client, req *http.Request) error {
	return wait.PollUntilContextTimeout(ctx, 30*time.Second, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		resp, err := client.Do(req.WithContext(ctx))
		if err != nil {
			return false, nil
		}
		return resp.StatusCode == http.StatusOK, resp.Body.Close()
	})
}
