package avast

import (
	"context"
	"time"

	retry3 "github.com/avast/retry-go/v3"
	"github.com/avast/retry-go/v4"
	retry5 "github.com/avast/retry-go/v5"
)

func op() error { return nil }

const tries = 7

var defaults = []retry.Option{retry.Attempts(3), retry.LastErrorOnly(true)}

type caller struct{ retrier *retry5.Retrier }

func newCaller(ctx context.Context) *caller {
	return &caller{retrier: retry5.New(retry5.Attempts(2), retry5.Context(ctx))}
}

func v4(ctx context.Context, n uint, extra []retry.Option, delay retry.DelayTypeFunc) {
	_ = retry.Do(op)                                                                                                   // want `error runs op; attempts=10 deadline=none delay=growing base=100ms cap=none jitter=yes classify=no wait=no ctx=no$`
	_ = retry.Do(op, retry.Context(ctx), retry.Attempts(tries), retry.Delay(time.Second), retry.MaxDelay(time.Minute)) // want `attempts=7 deadline=none delay=growing base=1s cap=1m0s jitter=yes classify=no wait=yes ctx=yes\(ctx\)`
	_ = retry.Do(op, retry.Attempts(0))                                                                                // want `attempts=none`
	_ = retry.Do(op, retry.Attempts(n))                                                                                // want `attempts=given`
	_ = retry.Do(op, retry.UntilSucceeded(), retry.RetryIf(retry.IsRecoverable))                                       // want `attempts=none .* classify=yes`
	_ = retry.Do(op, retry.DelayType(retry.FixedDelay))                                                                // want `delay=constant .* jitter=no`
	_ = retry.Do(op, retry.DelayType(retry.CombineDelay(retry.BackOffDelay, retry.RandomDelay)))                       // want `delay=growing .* jitter=yes`
	_ = retry.Do(op, retry.DelayType(retry.FullJitterBackoffDelay))                                                    // want `delay=growing .* jitter=yes`
	_ = retry.Do(op, retry.DelayType(delay))                                                                           // want `delay=unknown .* jitter=unknown`
	_ = retry.Do(op, retry.DelayType(func(n uint, err error, c *retry.Config) time.Duration { return time.Second }))   // want `delay=unknown .* jitter=unknown`
	_ = retry.Do(op, defaults...)                                                                                      // want `attempts=3`
	_ = retry.Do(op, extra...)                                                                                         // want `attempts=unknown .* wait=unknown ctx=unknown`
	_ = retry.Do(op, append(defaults, retry.Context(ctx))...)                                                          // want `attempts=3 .* wait=yes ctx=yes`
	_ = retry.Do(op, quick(ctx)...)                                                                                    // want `attempts=2 .* ctx=yes\(ctx\)`
	_, _ = retry.DoWithData(func() (int, error) { return 0, nil }, retry.Attempts(1+1))                                // want `runs literal; attempts=2`
	_ = retry.Do(op, retry.Attempts(1))
	_ = retry3.Do(op, retry3.Attempts(0)) // want `attempts=unknown`
}

func quick(c context.Context) []retry.Option {
	return []retry.Option{retry.Attempts(2), retry.Context(c)}
}

func v5(ctx context.Context, c *caller, given *retry5.Retrier) {
	_ = retry5.New(retry5.Attempts(3), retry5.Context(ctx)).Do(op) // want `error runs op; attempts=3 .* wait=yes ctx=yes\(ctx\)`
	r := retry5.New(retry5.UntilSucceeded())
	_ = r.Do(op)                                                                                                  // want `attempts=none .* wait=no ctx=no`
	_ = given.Do(op)                                                                                              // want `attempts=unknown`
	_ = c.retrier.Do(op)                                                                                          // want `attempts=2 .* wait=yes`
	_, _ = retry5.NewWithData[int](retry5.DelayType(retry5.FixedDelay)).Do(func() (int, error) { return 0, nil }) // want `runs literal; attempts=10 deadline=none delay=constant .* jitter=no`
}
