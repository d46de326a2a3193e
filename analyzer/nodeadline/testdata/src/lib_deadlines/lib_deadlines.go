package lib_deadlines

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	backoff4 "github.com/cenkalti/backoff/v4"
	"github.com/cenkalti/backoff/v5"
	sethvargo "github.com/sethvargo/go-retry"
)

func get() error {
	resp, err := http.Get("http://service")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func send(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://service", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func unlimited() {
	ctx := context.Background()
	_, _ = backoff.Retry(ctx, func() (int, error) { return 0, send(ctx) }, backoff.WithMaxElapsedTime(0))  // want `retries send with no limit on the time: its context is context\.Background\(\)`
	_ = sethvargo.Do(context.TODO(), sethvargo.NewConstant(time.Second), func(ctx context.Context) error { // want `retries send with no limit on the time: its context is context\.TODO\(\)`
		return sethvargo.RetryableError(send(ctx))
	})
	_ = retry.Do(get)                                                                                  // want `retries http\.Get with no limit on the time: it has no context and no timeout`
	_ = backoff4.Retry(get, backoff4.NewConstantBackOff(time.Second))                                  // want `retries http\.Get with no limit`
	_ = backoff4.Retry(get, backoff4.NewExponentialBackOff(backoff4.WithMaxElapsedTime(0)))            // want `retries http\.Get with no limit`
	_ = backoff4.Retry(get, &backoff4.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2}) // want `retries http\.Get with no limit`
}

func limited(ctx context.Context, given backoff4.BackOff) {
	_, _ = backoff.Retry(ctx, func() (int, error) { return 0, send(ctx) })
	_, _ = backoff.Retry(context.Background(), func() (int, error) { return 0, get() }) // 15 minutes by default
	_ = backoff4.Retry(get, backoff4.NewExponentialBackOff())
	_ = backoff4.Retry(get, given)
	_ = retry.Do(get, retry.Context(ctx))
	short, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, _ = backoff.Retry(short, func() (int, error) { return 0, send(short) }, backoff.WithMaxElapsedTime(0))
	_ = sethvargo.Do(context.Background(), sethvargo.WithMaxDuration(time.Minute, sethvargo.NewConstant(time.Second)), func(ctx context.Context) error {
		return sethvargo.RetryableError(send(ctx))
	})
	// Counted, and each attempt has a timeout.
	_ = retry.Do(func() error {
		c, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return send(c)
	}, retry.Attempts(3))
}
