// Package another has loops that come back with another operation, or only
// once, and beside each one that does neither.
package another

import (
	"context"
	"errors"
	"net/http"
	"time"
)

var errAborted = errors.New("aborted")

func end(ctx context.Context, commit bool) error {
	method := http.MethodDelete
	if commit {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, "https://db.example/end", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Whatever failed, the transaction is rolled back instead.
func rolledBack(ctx context.Context, tryCommit bool) error {
	tries := 0
again:
	err := end(ctx, tryCommit)
	tries++
	if err != nil && tries < 10 {
		if errors.Is(err, errAborted) {
			tryCommit = false
			goto again
		}
		tryCommit = false
		goto again
	}
	return err
}

func sameAgain(ctx context.Context, commit bool) error {
	tries := 0
again: // want `a failed end is repeated at once`
	err := end(ctx, commit)
	tries++
	if err != nil && tries < 10 {
		goto again
	}
	return err
}

// The other side is told that it is a retry, no more.
func toldThatItIsOne(ctx context.Context) (err error) {
	isRetry := false
	for range 10 { // want `a failed end is repeated at once`
		if err = end(ctx, isRetry); err == nil {
			return nil
		}
		isRetry = true
	}
	return err
}

func renew(ctx context.Context) error { return end(ctx, true) }

func onlyOnce(ctx context.Context) error {
	renewed := false
again:
	err := end(ctx, true)
	if err != nil && !renewed {
		renewed = true
		goto again
	}
	return err
}

func onceMore(ctx context.Context) error {
	renewed := false
	for { // want `a failed renew is repeated at once`
		err := end(ctx, true)
		if err != nil && !renewed {
			renewed = renew(ctx) == nil
			continue
		}
		return err
	}
}

type resetError struct{}

func (*resetError) Error() string { return "reset" }

// Another version is spoken after one of a kind.
func byKind(ctx context.Context) (err error) {
	tries := 0
again:
	tries++
	if err = end(ctx, true); err != nil {
		var reset *resetError
		if ok := errors.As(err, &reset); ok && tries < 3 {
			goto again
		}
	}
	return err
}

type clock struct{ fire chan time.Time }

func (c *clock) timer(d time.Duration) chan time.Time { return c.fire }

// The package's own timer is what waits.
func byOwnTimer(ctx context.Context, c *clock) (err error) {
	backoff := time.Second
	for range 5 {
		if err = end(ctx, true); err == nil {
			return nil
		}
		<-c.timer(backoff)
	}
	return err
}
