package otelretry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// policy makes the policies of the examples: on a clock that passes the waits
// at once, without jitter, so that their output is always the same.
func policy(options ...otelretry.Option) *otelretry.Policy {
	p, err := otelretry.New("payments", append([]otelretry.Option{
		otelretry.WithClock(otelretrytest.NewClock(1)),
		otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second)),
	}, options...)...)
	if err != nil {
		panic(err)
	}
	return p
}

var errBusy = errors.New("busy")

func Example() {
	payments, err := otelretry.New("payments",
		otelretry.WithMaxAttempts(4),
		otelretry.WithDeadline(3*time.Second),
		otelretry.WithAttemptTimeout(800*time.Millisecond),
		otelretry.WithClock(otelretrytest.NewClock(1))) // only in tests
	if err != nil {
		fmt.Println(err)
		return
	}
	charge := payments.Operation("charge")

	receipt, err := otelretry.Do(context.Background(), charge, func(ctx context.Context) (string, error) {
		if otelretry.AttemptNumber(ctx) < 3 {
			return "", otelretry.Retryable(errBusy)
		}
		return "receipt 7", nil
	})
	fmt.Println(receipt, err)
	// Output: receipt 7 <nil>
}

func ExampleNew() {
	_, err := otelretry.New("payments", otelretry.WithMaxAttempts(0), otelretry.WithDeadline(-time.Second))
	fmt.Println(err)
	// Output: otelretry: policy "payments": WithMaxAttempts: 0 is less than 1; 1 means no retry; WithDeadline: -1s must be positive; use WithoutDeadline for none
}

// What a policy does without options.
func ExampleNew_defaults() {
	p, err := otelretry.New("payments")
	fmt.Println(p, err)
	fmt.Println(otelretry.DefaultMaxAttempts, otelretry.DefaultDeadline, otelretry.DefaultBackoffBase,
		otelretry.DefaultBackoffCap, otelretry.DefaultMaxRetryAfter)
	// Output:
	// payments: 4 attempts, deadline 30s, full jitter 200ms..10s, Retry-After up to 30s, worst case 30s <nil>
	// 4 30s 200ms 10s 30s
}

func ExampleDo() {
	search := policy().Operation("search", otelretry.Idempotent())
	hits, err := otelretry.Do(context.Background(), search, func(ctx context.Context) (int, error) {
		return 42, nil
	})
	fmt.Println(hits, err)
	// Output: 42 <nil>
}

func ExampleOperation_Run() {
	err := policy().Operation("charge").Run(context.Background(), func(context.Context) error {
		return errors.New("card declined")
	})
	fmt.Println(err)
	// Output: payments charge: not retryable (no classifier knows the failure) after 1 attempt in 0s: card declined
}

func ExampleDoHedged() {
	read := policy(otelretry.WithHedging(50*time.Millisecond, 1)).Operation("read", otelretry.Idempotent())
	value, err := otelretry.DoHedged(context.Background(), read, func(ctx context.Context) (string, error) {
		return "from whoever answers first", nil
	})
	fmt.Println(value, err)
	// Output: from whoever answers first <nil>
}

func ExampleError() {
	err := policy().Operation("charge").Run(context.Background(), func(context.Context) error {
		return otelretry.Retryable(errBusy)
	})
	var failure *otelretry.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Reason, failure.Attempts, failure.Elapsed)
	}
	fmt.Println(errors.Is(err, otelretry.ErrExhausted), errors.Is(err, errBusy))
	// Output:
	// attempts_exhausted 4 1.4s
	// true true
}

// Why a policy gave up, for a caller that treats the reasons differently.
func ExampleError_reasons() {
	explain := func(err error) string {
		switch {
		case errors.Is(err, otelretry.ErrNotRetryable):
			return "the request is at fault: don't repeat it"
		case errors.Is(err, otelretry.ErrExhausted), errors.Is(err, otelretry.ErrDeadline):
			return "the dependency is down: answer 503"
		case errors.Is(err, otelretry.ErrBudget), errors.Is(err, otelretry.ErrBreaker), errors.Is(err, otelretry.ErrPushback):
			return "the dependency wants rest: answer 503 with Retry-After"
		case errors.Is(err, otelretry.ErrCanceled):
			return "nobody waits for the answer"
		}
		return "it worked"
	}
	busy := func(context.Context) error { return otelretry.Retryable(errBusy) }
	fmt.Println(explain(policy().Operation("charge").Run(context.Background(), busy)))
	fmt.Println(explain(policy(otelretry.WithBreaker(&halfOpen{})).Operation("charge").Run(context.Background(), busy)))
	// Output:
	// the dependency is down: answer 503
	// the dependency wants rest: answer 503 with Retry-After
}

func ExampleError_Error() {
	err := policy().Operation("charge").Run(context.Background(), func(context.Context) error { return otelretry.Retryable(errBusy) })
	fmt.Println(err.Error())
	// Output: payments charge: attempts exhausted after 4 attempts in 1.4s: busy
}

func ExampleError_Is() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := policy().Operation("charge").Run(ctx, func(context.Context) error { return nil })
	fmt.Println(errors.Is(err, otelretry.ErrCanceled), errors.Is(err, context.Canceled))
	// Output: true true
}

// shuttingDown is why a program ends its contexts.
type shuttingDown struct{ signal string }

func (s shuttingDown) Error() string { return "shutting down after " + s.signal }

func ExampleError_As() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(shuttingDown{"SIGTERM"})
	err := policy().Operation("charge").Run(ctx, func(context.Context) error { return nil })
	var shutdown shuttingDown
	fmt.Println(errors.As(err, &shutdown), shutdown.signal)
	// Output: true SIGTERM
}

func ExampleError_Unwrap() {
	err := policy().Operation("charge").Run(context.Background(), func(context.Context) error { return errBusy })
	fmt.Println(errors.Unwrap(err) == errBusy)
	// Output: true
}

func ExamplePermanent() {
	err := policy().Operation("charge").Run(context.Background(), func(context.Context) error {
		return fmt.Errorf("charging: %w", otelretry.Permanent(statusError(503)))
	})
	fmt.Println(errors.Is(err, otelretry.ErrNotRetryable))
	// Output: true
}

func ExampleRetryable() {
	calls := 0
	_ = policy().Operation("charge").Run(context.Background(), func(context.Context) error {
		calls++
		return otelretry.Retryable(errBusy)
	})
	fmt.Println(calls, "attempts")
	// Output: 4 attempts
}

func ExampleAmbiguous() {
	calls := 0
	_ = policy().Operation("charge").Run(context.Background(), func(context.Context) error {
		calls++
		return otelretry.Ambiguous(errBusy) // the server may have acted, and no key tells a repeat
	})
	fmt.Println(calls, "attempt")
	// Output: 1 attempt
}

func ExampleRetryAfter() {
	clock := otelretrytest.NewClock(1)
	op := policy(otelretry.WithClock(clock)).Operation("charge")
	_ = op.Run(context.Background(), func(ctx context.Context) error {
		if otelretry.AttemptNumber(ctx) == 1 {
			return otelretry.RetryAfter(7*time.Second, errBusy)
		}
		return nil
	})
	fmt.Println(clock.Waits())
	// Output: [7s]
}

func ExampleParseRetryAfter() {
	now := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	for _, header := range []string{"120", "Sun, 01 Mar 2026 12:00:30 GMT", "soon"} {
		wait, ok := otelretry.ParseRetryAfter(header, now)
		fmt.Println(wait, ok)
	}
	// Output:
	// 2m0s true
	// 30s true
	// 0s false
}

func ExampleIdempotencyKey() {
	var first string
	_ = policy().Operation("charge").Run(context.Background(), func(ctx context.Context) error {
		key := otelretry.IdempotencyKey(ctx) // send it with the call
		if otelretry.AttemptNumber(ctx) == 1 {
			first = key
			return otelretry.Retryable(errBusy)
		}
		fmt.Println(len(key), key == first)
		return nil
	})
	// Output: 36 true
}

func ExampleContextWithIdempotencyKey() {
	ctx := otelretry.ContextWithIdempotencyKey(context.Background(), "order-4711")
	_ = policy().Operation("charge").Run(ctx, func(ctx context.Context) error {
		fmt.Println(otelretry.IdempotencyKey(ctx))
		return nil
	})
	// Output: order-4711
}

func ExampleIdempotencyReplayed() {
	_ = policy().Operation("charge").Run(context.Background(), func(ctx context.Context) error {
		answeredFromStore := true // as the server says, for example in a header
		if answeredFromStore {
			otelretry.IdempotencyReplayed(ctx)
		}
		return nil
	})
	// Output:
}

func ExampleAttemptNumber() {
	_ = policy().Operation("charge").Run(context.Background(), func(ctx context.Context) error {
		fmt.Println("attempt", otelretry.AttemptNumber(ctx))
		return nil
	})
	fmt.Println("outside", otelretry.AttemptNumber(context.Background()))
	// Output:
	// attempt 1
	// outside 0
}

func ExampleHold() {
	var body context.Context
	var closeBody func()
	_ = policy().Operation("download").Run(context.Background(), func(ctx context.Context) error {
		body, closeBody = ctx, otelretry.Hold(ctx)
		return nil
	})
	fmt.Println("while the body is read:", body.Err())
	closeBody()
	fmt.Println("after it is closed:", body.Err())
	// Output:
	// while the body is read: <nil>
	// after it is closed: context canceled
}

func ExamplePolicy() {
	p := policy(otelretry.WithAttemptTimeout(2 * time.Second))
	fmt.Println(p)
	fmt.Println(p.Dependency(), p.WorstCase())
	// Output:
	// payments: 4 attempts, deadline 30s, attempt timeout 2s, exponential 200ms..3s, Retry-After up to 30s, worst case 30s
	// payments 30s
}

func ExamplePolicy_Dependency() {
	fmt.Println(policy().Dependency())
	// Output: payments
}

func ExamplePolicy_String() {
	fmt.Println(policy(otelretry.WithMaxAttempts(2), otelretry.WithoutRetryAfter()).String())
	// Output: payments: 2 attempts, deadline 30s, exponential 200ms..3s, Retry-After ignored, worst case 30s
}

func ExamplePolicy_WorstCase() {
	p := policy(otelretry.WithAttemptTimeout(10*time.Second), otelretry.WithoutDeadline(), otelretry.WithoutRetryAfter())
	fmt.Println(p.WorstCase()) // 4 * 10 s + 0.2 s + 0.4 s + 0.8 s
	// Output: 41.4s
}

func ExamplePolicy_Operation() {
	op := policy().Operation("read balance", otelretry.Idempotent())
	fmt.Println(op.Name(), "of", op.Policy().Dependency())
	// Output: read balance of payments
}

func ExampleOperation_Name() {
	fmt.Println(policy().Operation("charge").Name())
	// Output: charge
}

func ExampleOperation_Policy() {
	p := policy()
	fmt.Println(p.Operation("charge").Policy() == p)
	// Output: true
}

func ExampleIdempotent() {
	for _, options := range [][]otelretry.OperationOption{nil, {otelretry.Idempotent()}} {
		calls := 0
		_ = policy().Operation("op", options...).Run(context.Background(), func(context.Context) error {
			calls++
			return context.DeadlineExceeded // a timeout below: ambiguous
		})
		fmt.Println(calls)
	}
	// Output:
	// 1
	// 4
}

func ExampleNewShareBudget() {
	budget, err := otelretry.NewShareBudget("payments", 0.1, 10)
	fmt.Println(budget, err)
	op := policy(otelretry.WithBudget(budget)).Operation("charge")
	attempts := 0
	for range 100 { // an outage
		_ = op.Run(context.Background(), func(context.Context) error { attempts++; return otelretry.Retryable(errBusy) })
	}
	fmt.Println(attempts, "attempts for 100 requests, and not 400")
	// Output:
	// payments (10% of requests, reserve 10) <nil>
	// 110 attempts for 100 requests, and not 400
}

func ExampleNewThrottlingBudget() {
	budget, err := otelretry.NewThrottlingBudget("payments", 10, 0.1)
	fmt.Println(budget, err)
	// Output: payments (throttling, 10 tokens, ratio 0.1) <nil>
}

func ExampleBudget_Name() {
	budget, _ := otelretry.NewThrottlingBudget("payments", 10, 0.1)
	fmt.Println(budget.Name())
	// Output: payments
}

func ExampleBudget_String() {
	budget, _ := otelretry.NewShareBudget("payments", 0.2, 5)
	fmt.Println(budget.String())
	// Output: payments (20% of requests, reserve 5)
}

func ExampleBudget_Utilization() {
	budget, _ := otelretry.NewThrottlingBudget("payments", 10, 0.1)
	fmt.Println(budget.Utilization())
	_ = policy(otelretry.WithBudget(budget)).Operation("charge").Run(context.Background(), func(context.Context) error {
		return otelretry.Retryable(errBusy)
	})
	fmt.Println(budget.Utilization())
	// Output:
	// 0
	// 0.8
}

func ExampleOutcome_String() {
	for _, outcome := range []otelretry.Outcome{
		otelretry.FirstAttemptSuccess, otelretry.RetriedSuccess, otelretry.NotRetryable, otelretry.AttemptsExhausted,
		otelretry.DeadlineExceeded, otelretry.BudgetRejected, otelretry.BreakerOpen, otelretry.Pushback, otelretry.Canceled,
	} {
		fmt.Println(outcome)
	}
	// Output:
	// first_attempt_success
	// retried_success
	// not_retryable
	// attempts_exhausted
	// deadline_exceeded
	// budget_rejected
	// breaker_open
	// pushback
	// canceled
}

func ExampleOutcome_Success() {
	fmt.Println(otelretry.RetriedSuccess.Success(), otelretry.Pushback.Success())
	// Output: true false
}

func ExampleVersion() {
	fmt.Println(otelretry.ScopeName != "", otelretry.Version() != "")
	// Output: true true
}

func ExampleWithObserver() {
	op := policy(otelretry.WithObserver(func(e otelretry.Event) {
		if e.Kind == otelretry.RetryScheduled {
			fmt.Println(e.Operation.Name(), "attempt", e.Attempt, "failed:", e.Err, "- next in", e.Delay)
		}
	}), otelretry.WithMaxAttempts(2)).Operation("charge")
	_ = op.Run(context.Background(), func(context.Context) error { return otelretry.Retryable(errBusy) })
	// Output: charge attempt 1 failed: busy - next in 200ms
}

func ExampleEventKind_String() {
	fmt.Println(otelretry.AttemptStarted, otelretry.AttemptEnded, otelretry.RetryScheduled, otelretry.RequestEnded)
	// Output: attempt_started attempt_ended retry_scheduled request_ended
}

func ExampleWithLogger() {
	text := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	_ = policy(otelretry.WithLogger(text)).Operation("charge").Run(context.Background(), func(context.Context) error {
		return otelretry.Retryable(errBusy)
	})
	// Output: level=WARN msg="retries exhausted" retry.dependency=payments retry.operation=charge retry.outcome=attempts_exhausted retry.attempts=4 elapsed=1.4s error.type=*errors.errorString
}
