package lib_ended

import (
	"context"
	"net/http"

	old "gopkg.in/cenkalti/backoff.v1"
)

// The same library under its name of that time.
func blindByOld(ctx context.Context, client *http.Client) error {
	return old.RetryNotify(func() error { // want `retries send even when ctx has ended`
		return send(ctx, client)
	}, old.NewExponentialBackOff(), nil)
}

func watchedByOld(ctx context.Context, client *http.Client) error {
	return old.RetryNotify(func() error {
		return send(ctx, client)
	}, old.WithContext(old.WithMaxTries(old.NewExponentialBackOff(), 3), ctx), nil)
}
