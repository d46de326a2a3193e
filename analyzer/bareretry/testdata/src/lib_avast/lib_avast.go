package lib_avast

import (
	"context"
	"errors"
	"net"

	"github.com/avast/retry-go/v4"
	retry5 "github.com/avast/retry-go/v5"
)

func dial(ctx context.Context) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", "db:5432")
	if err != nil {
		return err
	}
	return conn.Close()
}

func do(ctx context.Context) error {
	return retry.Do(func() error { return dial(ctx) }, retry.Context(ctx), retry.Attempts(3)) // want `retries every error from dial, so one that is permanent .* is sent 3 times`
}

func always(ctx context.Context) error {
	return retry.Do(func() error { return dial(ctx) }, retry.RetryIf(func(error) bool { return true })) // want `is sent 10 times`
}

func five(ctx context.Context) error {
	return retry5.New(retry5.Context(ctx), retry5.UntilSucceeded()).Do(func() error { return dial(ctx) }) // want `is sent again and again`
}

func predicate(ctx context.Context) error {
	return retry.Do(func() error { return dial(ctx) }, retry.RetryIf(transient))
}

func transient(err error) bool {
	var ne net.Error
	return errors.As(err, &ne) && ne.Timeout()
}

func unrecoverable(ctx context.Context) error {
	return retry.Do(func() error {
		if err := dial(ctx); err != nil {
			return retry.Unrecoverable(err)
		}
		return dial(ctx)
	})
}

func options(ctx context.Context, opts ...retry.Option) error {
	return retry.Do(func() error { return dial(ctx) }, opts...)
}

func retrier(ctx context.Context, r *retry5.Retrier) error {
	return r.Do(func() error { return dial(ctx) })
}
