// Package lib_predicate tells a library by the text which failures to retry.
package lib_predicate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/avast/retry-go/v4"
)

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func literal(ctx context.Context, url string) error {
	return retry.Do(func() error { return get(ctx, url) }, retry.Context(ctx), retry.RetryIf(func(err error) bool {
		return strings.Contains(err.Error(), "timeout") // want `whether to retry is decided by the text of err \("timeout"\)`
	}))
}

func busy(err error) bool {
	return strings.HasSuffix(err.Error(), "busy") // want `whether to retry is decided by the text of err \("busy"\)`
}

func named(ctx context.Context, url string) error {
	return retry.Do(func() error { return get(ctx, url) }, retry.Context(ctx), retry.RetryIf(busy))
}

func bySentinel(ctx context.Context, url string) error {
	return retry.Do(func() error { return get(ctx, url) }, retry.Context(ctx), retry.RetryIf(func(err error) bool {
		return errors.Is(err, io.ErrUnexpectedEOF)
	}))
}
