package lib_cenkalti

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	backoff6 "github.com/cenkalti/backoff/v6"
	backoff7 "github.com/cenkalti/backoff/v7"
)

type client struct{ http *http.Client }

func (c *client) send(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://payments", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func (c *client) once() error { return c.send(context.TODO()) }

func (c *client) marking(ctx context.Context) error {
	if err := c.send(ctx); err != nil {
		return backoff.Permanent(err)
	}
	return nil
}

func literal(ctx context.Context, c *client) error {
	return backoff.Retry(func() error { return c.send(ctx) }, backoff.WithContext(backoff.NewExponentialBackOff(), ctx)) // want `retries every error from c\.send, so one that is permanent`
}

func method(c *client) error {
	return backoff.Retry(c.once, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3)) // want `retries every error from c\.send, so one that is permanent .* is sent 4 times`
}

func variable(ctx context.Context, c *client) error {
	operation := func() error {
		err := c.send(ctx)
		if err != nil {
			return fmt.Errorf("send: %w", err)
		}
		return nil
	}
	return backoff.RetryNotify(operation, backoff.NewExponentialBackOff(), nil) // want `retries every error from c\.send`
}

func withData(ctx context.Context, c *client) (int, error) {
	return backoff.RetryWithData(func() (int, error) { return 1, c.send(ctx) }, backoff.NewExponentialBackOff()) // want `retries every error from c\.send`
}

func five(ctx context.Context, c *client) error {
	_, err := backoff5.Retry(ctx, func() (bool, error) { return true, c.send(ctx) }, backoff5.WithMaxTries(5)) // want `retries every error from c\.send, so one that is permanent .* is sent 5 times`
	return err
}

func six(ctx context.Context, c *client) error {
	_, err := backoff6.Retry(ctx, func() (bool, error) { return true, c.send(ctx) }) // want `retries every error from c\.send`
	return err
}

func seven(ctx context.Context, c *client) error {
	_, err := backoff7.Retry(ctx, func() (bool, error) { // want `retries every error from c\.send`
		if err := c.send(ctx); err != nil {
			return false, err
		}
		return true, nil
	})
	return err
}

// Silent: something looks.

var errRefused = errors.New("refused")

func permanent(ctx context.Context, c *client) error {
	return backoff.Retry(func() error {
		err := c.send(ctx)
		if errors.Is(err, errRefused) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.NewExponentialBackOff())
}

func permanentSeven(ctx context.Context, c *client) error {
	_, err := backoff7.Retry(ctx, func() (bool, error) {
		if err := c.send(ctx); err != nil {
			return false, classify(err)
		}
		return true, nil
	})
	return err
}

func classify(err error) error {
	if errors.Is(err, errRefused) {
		return backoff7.Permanent(err)
	}
	return err
}

func markedBelow(ctx context.Context, c *client) error {
	return backoff.Retry(func() error { return c.marking(ctx) }, backoff.NewExponentialBackOff())
}

func status(ctx context.Context, c *client) error {
	return backoff.Retry(func() error {
		resp, err := c.http.Get("http://payments")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

// Silent: not known.

func parameter(fn func() error) error {
	return backoff.Retry(fn, backoff.NewExponentialBackOff())
}

// Silent: it does not leave the process, or runs once.

func local(m map[string]int) error {
	return backoff.Retry(func() error { return check(m) }, backoff.NewExponentialBackOff())
}

func check(m map[string]int) error {
	if m["ready"] == 0 {
		return errors.New("not ready")
	}
	return nil
}

func once(ctx context.Context, c *client) error {
	return backoff.Retry(func() error { return c.send(ctx) }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 0))
}

// What is asked of an answer says nothing about the failures beside it.

type registry struct{ http *http.Client }

type record struct {
	name  string
	state string
}

var errNoRecord = errors.New("no record")

func (r *registry) list(ctx context.Context) ([]record, error) {
	c := client{r.http}
	return nil, c.send(ctx)
}

func (r *registry) read(ctx context.Context, name string) (*record, error) {
	c := client{r.http}
	return nil, c.send(ctx)
}

func answered(ctx context.Context, r *registry) (*record, error) {
	return backoff.RetryWithData(func() (*record, error) { // want `retries every error from r\.read`
		list, err := r.list(ctx)
		if err != nil {
			return nil, fmt.Errorf("list: %w", err)
		}
		if len(list) == 0 {
			return nil, backoff.Permanent(errNoRecord)
		}
		found, err := r.read(ctx, list[0].name)
		if err != nil {
			return nil, err
		}
		if found.state != "ready" {
			return nil, fmt.Errorf("state %s", found.state)
		}
		return found, nil
	}, backoff.NewExponentialBackOff())
}

// Silent: nothing is marked, so that it may wait for a state.
func awaited(ctx context.Context, r *registry) (*record, error) {
	return backoff.RetryWithData(func() (*record, error) {
		found, err := r.read(ctx, "first")
		if err != nil {
			return nil, err
		}
		if found.state != "ready" {
			return nil, fmt.Errorf("state %s", found.state)
		}
		return found, nil
	}, backoff.NewExponentialBackOff())
}

// Silent: one of the failures is asked about.
func answeredAndAsked(ctx context.Context, r *registry) (*record, error) {
	return backoff.RetryWithData(func() (*record, error) {
		list, err := r.list(ctx)
		if errors.Is(err, errRefused) {
			return nil, backoff.Permanent(err)
		}
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, backoff.Permanent(errNoRecord)
		}
		return r.read(ctx, list[0].name)
	}, backoff.NewExponentialBackOff())
}

// Silent: the network's errors are retried, and the answer's status decides.
func statusDecides(ctx context.Context, c *client) error {
	return backoff.Retry(func() error {
		resp, err := c.http.Get("http://payments")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 400 && resp.StatusCode < 500 {
			return backoff.Permanent(errors.New(resp.Status))
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

type reply struct{ Code int }

func (c *client) call(ctx context.Context) (*reply, error) { return &reply{}, c.send(ctx) }

func (c *client) fill(ctx context.Context, into *reply) error { return c.send(ctx) }

// Silent: so does a code that the operation answers with, or fills in.
func codeDecides(ctx context.Context, c *client) error {
	return backoff.Retry(func() error {
		r, err := c.call(ctx)
		if err != nil {
			return err
		}
		if r.Code == 7 {
			return backoff.Permanent(errRefused)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

func filledIn(ctx context.Context, c *client) error {
	return backoff.Retry(func() error {
		var r reply
		if err := c.fill(ctx, &r); err != nil {
			return err
		}
		if r.Code == 7 {
			return backoff.Permanent(errRefused)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

// Silent: what is deferred may be about the failure.
func deferredLook(ctx context.Context, r *registry) error {
	return backoff.Retry(func() (err error) {
		defer func() {
			if err != nil {
				err = classifyFour(err)
			}
		}()
		list, err := r.list(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return backoff.Permanent(errNoRecord)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

func classifyFour(err error) error {
	if errors.Is(err, errRefused) {
		return backoff.Permanent(err)
	}
	return err
}
