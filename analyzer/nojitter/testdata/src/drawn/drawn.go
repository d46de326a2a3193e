// Package drawn draws at random what it has calculated.
package drawn

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

func backoff(attempt int) time.Duration { return time.Second << min(attempt, 6) }

type verdict struct {
	again bool
	delay time.Duration
}

func judge(attempt int, resp *http.Response, err error) verdict {
	return verdict{err != nil || resp.StatusCode >= 500, rand.N(backoff(attempt))}
}

func pause(ctx context.Context, attempt int, resp *http.Response, err error) bool {
	v := judge(attempt, resp, err)
	if !v.again {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(v.delay):
		return true
	}
}
