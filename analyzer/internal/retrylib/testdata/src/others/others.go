package others

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	rican "github.com/Rican7/retry"
	ricanbackoff "github.com/Rican7/retry/backoff"
	"github.com/Rican7/retry/strategy"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/flowchartsman/retry"
	"github.com/googleapis/gax-go/v2"
	"github.com/hashicorp/go-retryablehttp"
	jujuretry "github.com/juju/retry"
	"github.com/matryer/try"
	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrysql"
	"github.com/samber/lo"
	"k8s.io/apimachinery/pkg/util/wait"
	k8sretry "k8s.io/client-go/util/retry"
)

func op() error { return nil }

func opctx(context.Context) error { return nil }

func eapache(ctx context.Context, n int) {
	r := retrier.New(retrier.ConstantBackoff(3, time.Second), nil)
	_ = r.Run(op) // want `error runs op; attempts=4 deadline=none delay=constant base=1s cap=none jitter=no classify=no wait=no ctx=no`
	s := retrier.New(retrier.ExponentialBackoff(n, time.Second), retrier.WhitelistClassifier{})
	s.SetJitter(0.25)
	_ = s.RunCtx(ctx, opctx)                                                                    // want `runs opctx; attempts=given deadline=none delay=growing base=1s cap=none jitter=yes classify=yes wait=yes ctx=yes\(ctx\)`
	_ = retrier.New([]time.Duration{time.Second, time.Minute}, nil).WithInfiniteRetry().Run(op) // want `attempts=none deadline=none`
}

func kubernetes(ctx context.Context, given wait.Backoff) {
	cond := func() (bool, error) { return true, nil }
	_ = wait.ExponentialBackoff(wait.Backoff{Steps: 3, Duration: time.Second, Factor: 2, Jitter: 0.1}, cond)                        // want `cond runs literal; attempts=3 deadline=none delay=growing base=1s cap=none jitter=yes classify=unknown wait=no ctx=no`
	_ = wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(context.Context) (bool, error) { return true, nil }) // want `cond runs literal; attempts=none deadline=1m0s delay=constant base=1s cap=none jitter=no classify=unknown wait=yes ctx=yes`
	_ = wait.Poll(time.Second, time.Minute, cond)                                                                                   // want `deadline=1m0s .* wait=no`
	wait.Until(func() {}, time.Second, ctx.Done())                                                                                  // want `periodic runs literal`
	_ = k8sretry.OnError(k8sretry.DefaultBackoff, func(err error) bool { return err != context.Canceled }, op)                      // want `error runs op; attempts=4 deadline=none delay=growing base=10ms cap=none jitter=yes classify=yes wait=no ctx=no`
	_ = k8sretry.RetryOnConflict(k8sretry.DefaultRetry, op)                                                                         // want `attempts=5 .* classify=yes`
	_ = k8sretry.OnError(given, nil, op)                                                                                            // want `attempts=unknown .* classify=no`
	var b wait.Backoff
	b.Steps = 4
	b.Duration = time.Second
	_ = k8sretry.RetryOnConflict(b, op) // want `attempts=4 deadline=none delay=constant base=1s cap=none jitter=no`
}

func failsafes(ctx context.Context, given failsafe.Policy[any], cond bool) {
	rp := retrypolicy.NewBuilder[any]().WithMaxRetries(3).WithBackoff(time.Second, time.Minute).WithJitter(time.Millisecond).HandleIf(func(_ any, err error) bool { return err != nil }).Build()
	_ = failsafe.With[any](rp).WithContext(ctx).Run(op)                // want `error runs op; attempts=4 deadline=none delay=growing base=1s cap=1m0s jitter=yes classify=yes wait=yes ctx=yes\(ctx\)`
	_ = failsafe.With[any](retrypolicy.NewWithDefaults[any]()).Run(op) // want `attempts=3 deadline=none delay=none .* wait=no ctx=no`
	_ = failsafe.With[any](timeout.New[any](time.Second)).Run(op)
	_ = failsafe.With[any](rp, timeout.New[any](time.Second)).Run(op) // want `attempts=4 deadline=given`
	_ = failsafe.With(given).Run(op)                                  // want `attempts=unknown deadline=unknown`
	e := failsafe.With[any](retrypolicy.NewBuilder[any]().WithMaxAttempts(-1).WithDelay(time.Second).Build())
	_ = e.Run(op) // want `attempts=none deadline=none delay=constant base=1s`
}

func several(ctx context.Context, given jujuretry.Clock, stop chan struct{}) {
	_ = jujuretry.Call(jujuretry.CallArgs{Func: op, Attempts: 3, Delay: time.Second, BackoffFunc: jujuretry.ExpBackoff(time.Second, time.Minute, 2, true), Stop: ctx.Done(), Clock: given}) // want `error runs op; attempts=3 deadline=none delay=growing base=1s cap=1m0s jitter=yes classify=no wait=yes ctx=yes\(ctx\)`
	args := jujuretry.CallArgs{Func: func() error { return nil }, Delay: time.Second}
	_ = jujuretry.Call(args) // want `runs literal; attempts=none deadline=none delay=constant base=1s cap=none jitter=no classify=no wait=no ctx=no`

	_ = try.Do(func(attempt int) (bool, error) { return attempt < 3, nil })                                                 // want `bool runs literal; attempts=10 deadline=none delay=none`
	_ = rican.Retry(func(uint) error { return nil })                                                                        // want `attempts=none deadline=none delay=none`
	_ = rican.Retry(func(uint) error { return nil }, strategy.Limit(5), strategy.Backoff(ricanbackoff.Linear(time.Second))) // want `attempts=5 deadline=none delay=growing base=1s .* wait=no`
	_ = retry.NewRetrier(3, time.Second, time.Minute).RunContext(ctx, opctx)                                                // want `attempts=3 deadline=none delay=growing base=1s cap=1m0s jitter=yes classify=no wait=yes`
	_, _ = lo.Attempt(0, func(int) error { return nil })                                                                    // want `attempts=none deadline=none delay=none`
	_, _, _ = lo.AttemptWithDelay(3, time.Second, func(int, time.Duration) error { return nil })                            // want `attempts=3 deadline=none delay=constant base=1s`
	_ = gax.Invoke(ctx, func(context.Context, gax.CallSettings) error { return nil })
	_ = gax.Invoke(ctx, func(context.Context, gax.CallSettings) error { return nil }, gax.WithRetry(nil)) // want `closed runs literal; attempts=none .* classify=yes wait=yes`
}

var payments, _ = otelretry.New("payments", otelretry.WithMaxAttempts(3))

func ours(ctx context.Context) {
	_ = payments.Operation("charge").Run(ctx, opctx) // want `error runs opctx; attempts=3 deadline=30s delay=growing base=200ms cap=10s jitter=yes classify=yes wait=yes ctx=yes\(ctx\)`
	refund := payments.Operation("refund")
	_, _ = otelretry.Do(ctx, refund, func(context.Context) (int, error) { return 0, nil }) // want `runs literal; attempts=3 deadline=30s`
}

// ourWaits are those of the strategy that a policy is given.
func ourWaits(ctx context.Context, given otelretry.Backoff) {
	run := func(b otelretry.Backoff) {
		p, _ := otelretry.New("payments", otelretry.WithBackoff(b))
		_ = p.Operation("charge").Run(ctx, opctx) // want `attempts=4 deadline=30s delay=unknown base=unknown cap=unknown jitter=unknown`
	}
	run(given)
	a, _ := otelretry.New("payments", otelretry.WithBackoff(otelretry.Constant(time.Second)))
	_ = a.Operation("charge").Run(ctx, opctx) // want `delay=constant base=1s cap=none jitter=no`
	b, _ := otelretry.New("payments", otelretry.WithBackoff(otelretry.Exponential(time.Second, time.Minute)))
	_ = b.Operation("charge").Run(ctx, opctx) // want `delay=growing base=1s cap=1m0s jitter=no`
	c, _ := otelretry.New("payments", otelretry.WithBackoff(otelretry.FullJitter(time.Second, time.Minute)))
	_ = c.Operation("charge").Run(ctx, opctx) // want `delay=growing base=1s cap=1m0s jitter=yes`
	d, _ := otelretry.New("payments", otelretry.WithBackoff(otelretry.ExponentialWithJitter(time.Second, time.Minute, time.Second)))
	_ = d.Operation("charge").Run(ctx, opctx) // want `delay=growing base=1s cap=1m0s jitter=yes`
	e, _ := otelretry.New("payments", otelretry.WithBackoff(otelretry.NoWait()))
	_ = e.Operation("charge").Run(ctx, opctx)                                                                // want `delay=none`
	_, _ = otelretry.DoHedged(ctx, e.Operation("get"), func(context.Context) (int, error) { return 0, nil }) // want `runs literal; attempts=4`
}

func transactions(ctx context.Context, db *sql.DB) error {
	return otelretrysql.Transact(ctx, payments.Operation("pay"), db, nil, func(context.Context, *sql.Tx) error { return nil }) // want `error runs literal; attempts=3 deadline=30s`
}

func clients(req *retryablehttp.Request) {
	c := retryablehttp.NewClient() // want `client attempts=5 deadline=none delay=growing base=1s cap=30s jitter=no`
	c.RetryMax = 2
	c.Backoff = retryablehttp.LinearJitterBackoff
	_, _ = c.Do(req) // want `client attempts=3 .* delay=growing .* jitter=yes classify=yes`
	d := &retryablehttp.Client{RetryMax: 3, HTTPClient: http.DefaultClient}
	_, _ = d.Get("x") // want `client attempts=4`
}
