// Package calculated draws nothing at random.
package calculated

import (
	"context"
	"math"
	"net/http"
	"time"
)

type policy struct{ base, longest time.Duration }

func (p policy) backoff(attempt int) time.Duration {
	d := time.Duration(math.Pow(2, float64(attempt))) * p.base // want `the wait that \(policy\).backoff computes grows but is the same for every client`
	if d > p.longest {
		d = p.longest
	}
	return d
}

type verdict struct {
	again bool
	delay time.Duration
}

func (p policy) judge(attempt int, resp *http.Response, err error) verdict {
	if err == nil && resp.StatusCode < 500 {
		return verdict{}
	}
	return verdict{true, p.backoff(attempt)}
}

func (p policy) pause(ctx context.Context, attempt int, resp *http.Response, err error) bool {
	v := p.judge(attempt, resp, err)
	if !v.again {
		return false
	}
	timer := time.NewTimer(v.delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Silent: whoever asks for it may add to it.
func RetryDelay(attempt int) time.Duration {
	return time.Second << attempt
}
