package lib_ended

import (
	"context"
	"errors"
	"net/http"

	"github.com/cenkalti/backoff/v4"
)

func send(ctx context.Context, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://service", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var errRefused = errors.New("refused")

func blind(ctx context.Context, client *http.Client) error {
	return backoff.Retry(func() error { // want `retries send even when ctx has ended`
		err := send(ctx, client)
		if errors.Is(err, errRefused) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.NewExponentialBackOff())
}

// Silent: the library watches the context.
func watched(ctx context.Context, client *http.Client) error {
	return backoff.Retry(func() error { return send(ctx, client) }, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
}

// Silent: the context is asked.
func asked(ctx context.Context, client *http.Client) error {
	return backoff.Retry(func() error {
		err := send(ctx, client)
		if ctx.Err() != nil {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.NewExponentialBackOff())
}

// Silent: it knows what is worth another attempt.
func judged(ctx context.Context, client *http.Client, transient func(error) bool) error {
	return backoff.Retry(func() error {
		err := send(ctx, client)
		if err != nil && !transient(err) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.NewExponentialBackOff())
}

// Silent: each attempt has a context of its own.
func own(client *http.Client) error {
	return backoff.Retry(func() error { return send(context.Background(), client) }, backoff.NewExponentialBackOff())
}

// What a function value makes of the answer comes too late for the context.
func checked(ctx context.Context, client *http.Client, check func(int) error) error {
	n := 0
	return backoff.Retry(func() error { // want `retries send even when ctx has ended`
		err := send(ctx, client)
		if err != nil {
			return err
		}
		n++
		return check(n)
	}, backoff.NewExponentialBackOff())
}

// Silent: the function value may mark it.
func marked(ctx context.Context, client *http.Client, mark func(error) error) error {
	return backoff.Retry(func() error {
		err := send(ctx, client)
		if err != nil {
			return mark(err)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}
