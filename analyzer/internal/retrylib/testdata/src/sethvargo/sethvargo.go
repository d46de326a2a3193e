package sethvargo

import (
	"context"
	"time"

	"github.com/sethvargo/go-retry"
)

func calls(ctx context.Context, given retry.Backoff) {
	f := func(ctx context.Context) error { return nil }
	_ = retry.Do(ctx, retry.NewExponential(time.Second), f) // want `marked runs literal; attempts=none deadline=none delay=growing base=1s cap=none jitter=no classify=unknown wait=yes ctx=yes\(ctx\)`
	b := retry.NewFibonacci(time.Second)
	b = retry.WithMaxRetries(3, b)
	b = retry.WithCappedDuration(time.Minute, b)
	b = retry.WithJitter(time.Second, b)
	b = retry.WithMaxDuration(time.Hour, b)
	_ = retry.Do(ctx, b, f)                                                                                                          // want `attempts=4 deadline=1h0m0s delay=growing base=1s cap=1m0s jitter=yes`
	_ = retry.Do(ctx, retry.WithJitterPercent(0, retry.NewConstant(time.Second)), f)                                                 // want `delay=constant base=1s cap=none jitter=no`
	_ = retry.Constant(ctx, time.Second, f)                                                                                          // want `attempts=none deadline=none delay=constant base=1s`
	_ = retry.Do(ctx, given, f)                                                                                                      // want `attempts=unknown deadline=unknown`
	_, _ = retry.DoValue(context.Background(), retry.NewConstant(time.Second), func(context.Context) (int, error) { return 0, nil }) // want `runs literal; attempts=none .* ctx=yes$`
}
