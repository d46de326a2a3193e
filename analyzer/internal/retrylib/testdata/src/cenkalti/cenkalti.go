package cenkalti

import (
	"context"
	"time"

	backoff2 "github.com/cenkalti/backoff"
	backoff3 "github.com/cenkalti/backoff/v3"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	backoff6 "github.com/cenkalti/backoff/v6"
	backoff7 "github.com/cenkalti/backoff/v7"
)

func op() error { return nil }

type client struct {
	policy backoff.BackOff
	shared *backoff.ExponentialBackOff
	Public backoff.BackOff
}

func (c *client) send() error { return nil }

func newClient() *client {
	return &client{policy: backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2), shared: backoff.NewExponentialBackOff()}
}

func v4(ctx context.Context, c *client, n uint64, given backoff.BackOff, cond bool, run func() error) {
	_ = backoff.Retry(op, backoff.NewExponentialBackOff())                                                    // want `error runs op; attempts=none deadline=15m0s delay=growing base=500ms cap=1m0s jitter=yes classify=no wait=no ctx=no$`
	_ = backoff.Retry(func() error { return nil }, backoff.WithContext(backoff.NewExponentialBackOff(), ctx)) // want `error runs literal; attempts=none deadline=15m0s .* wait=yes ctx=yes\(ctx\)$`
	_ = backoff.Retry(c.send, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 3))             // want `runs send; attempts=4 deadline=none delay=constant base=1s cap=none jitter=no`
	_ = backoff.Retry(op, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), n))                 // want `runs op; attempts=given deadline=none`
	_ = backoff.Retry(op, backoff.WithContext(backoff.WithMaxRetries(&backoff.ZeroBackOff{}, 2), ctx))        // want `attempts=3 deadline=none delay=none .* wait=yes ctx=yes`
	_ = backoff.Retry(op, given)                                                                              // want `attempts=unknown deadline=unknown delay=unknown base=unknown cap=unknown jitter=unknown classify=no wait=unknown ctx=unknown`
	_ = backoff.Retry(run, given)                                                                             // want `error runs \?`

	// A single attempt is no retry.
	_ = backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 0))

	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	b.MaxInterval = 5 * time.Second
	_ = backoff.Retry(op, b) // want `attempts=none deadline=none delay=growing base=500ms cap=5s jitter=yes`

	// What may have been changed is not known.
	maybe := backoff.NewExponentialBackOff()
	if cond {
		maybe.MaxElapsedTime = 0
		maybe.RandomizationFactor = 0
	}
	_ = backoff.Retry(op, maybe) // want `attempts=none deadline=unknown delay=growing base=500ms cap=1m0s jitter=unknown`

	var chosen backoff.BackOff
	if cond {
		chosen = backoff.NewConstantBackOff(time.Second)
	} else {
		chosen = backoff.NewExponentialBackOff()
	}
	_ = backoff.Retry(op, chosen) // want `attempts=none deadline=unknown delay=unknown .* jitter=unknown`

	// Wrapped step by step, under the same name.
	var w backoff.BackOff = backoff.NewExponentialBackOff()
	w = backoff.WithMaxRetries(w, 4)
	w = backoff.WithContext(w, ctx)
	_ = backoff.Retry(op, w) // want `attempts=5 deadline=15m0s .* wait=yes ctx=yes\(ctx\)`

	_ = backoff.Retry(op, made(ctx))                                                                                                  // want `attempts=6 deadline=1m0s .* wait=yes ctx=yes\(ctx\)`
	_ = backoff.Retry(op, backoff.NewExponentialBackOff(backoff.WithMaxElapsedTime(time.Minute), backoff.WithRandomizationFactor(0))) // want `deadline=1m0s .* jitter=no`
	_ = backoff.Retry(op, &backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: time.Minute})         // want `attempts=none deadline=none delay=growing base=1s cap=1m0s jitter=no`
	_ = backoff.Retry(op, c.policy)                                                                                                   // want `attempts=3 deadline=15m0s`
	_ = backoff.Retry(op, c.Public)                                                                                                   // want `attempts=unknown`
	_, _ = backoff.RetryWithData(func() (int, error) { return 0, nil }, global)                                                       // want `error runs literal; attempts=none deadline=none delay=constant base=2s`

	operation := func() error { return c.send() }
	_ = backoff.RetryNotify(backoff.Operation(operation), backoff.NewExponentialBackOff(), nil) // want `runs literal`
	operation2 := op
	operation2 = c.send
	_ = backoff.Retry(operation2, backoff.NewExponentialBackOff()) // want `runs \?`
	_ = backoff.Retry(maker(3), backoff.NewExponentialBackOff())   // want `runs literal`

	// Changed later, by a loop, or by what runs later.
	late := backoff.NewExponentialBackOff()
	for range 3 {
		_ = backoff.Retry(op, late) // want `deadline=unknown`
		late.MaxElapsedTime = 0
	}
	after := backoff.NewExponentialBackOff()
	_ = backoff.Retry(op, after) // want `deadline=15m0s`
	after.MaxElapsedTime = 0
}

var global = backoff.NewConstantBackOff(2 * time.Second)

func maker(n int) func() error {
	return func() error { return nil }
}

func made(c context.Context) backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = time.Minute
	return backoff.WithContext(backoff.WithMaxRetries(b, 5), c)
}

func older(ctx context.Context) {
	_ = backoff2.Retry(op, backoff2.WithMaxRetries(backoff2.NewExponentialBackOff(), 0))                   // want `attempts=none deadline=15m0s`
	_ = backoff3.RetryNotify(op, backoff3.WithContext(backoff3.NewConstantBackOff(time.Second), ctx), nil) // want `attempts=none deadline=none delay=constant base=1s cap=none jitter=no classify=no wait=yes ctx=yes\(ctx\)`
}

func newer(ctx context.Context, opts []backoff5.RetryOption, cond bool) {
	f := func() (int, error) { return 0, nil }
	_, _ = backoff5.Retry(ctx, f)                                                                                                           // want `error runs literal; attempts=none deadline=15m0s delay=growing base=500ms cap=1m0s jitter=yes classify=no wait=yes ctx=yes\(ctx\)`
	_, _ = backoff6.Retry(ctx, f, backoff6.WithMaxTries(3), backoff6.WithMaxElapsedTime(0))                                                 // want `attempts=3 deadline=none`
	_, _ = backoff7.Retry(ctx, f, backoff7.WithBackOff(backoff7.NewConstantBackOff(time.Second)), backoff7.WithMaxElapsedTime(time.Minute)) // want `attempts=none deadline=1m0s delay=constant base=1s cap=none jitter=no`
	_, _ = backoff5.Retry(ctx, f, opts...)                                                                                                  // want `attempts=unknown deadline=unknown`

	list := []backoff5.RetryOption{backoff5.WithMaxTries(3)}
	list = append(list, backoff5.WithMaxElapsedTime(time.Minute))
	_, _ = backoff5.Retry(ctx, f, list...) // want `attempts=3 deadline=1m0s`

	var some []backoff5.RetryOption
	if cond {
		some = append(some, backoff5.WithMaxTries(3))
	}
	_, _ = backoff5.Retry(ctx, f, some...) // want `attempts=unknown deadline=15m0s`

	b := backoff5.NewExponentialBackOff()
	b.RandomizationFactor = 0
	_, _ = backoff5.Retry(ctx, f, backoff5.WithBackOff(b), backoff5.WithMaxTries(0)) // want `attempts=none deadline=15m0s delay=growing base=500ms cap=1m0s jitter=no`
}
