package otelretry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// longestWaits prints the longest waits before the first five retries.
func longestWaits(b otelretry.Backoff) {
	var previous time.Duration
	for n := 1; n <= 5; n++ {
		previous = b.Delay(n, previous, nil)
		fmt.Print(previous, " ")
	}
	fmt.Println()
}

func ExampleNoWait() {
	fmt.Println(otelretry.NoWait())
	// Output: no wait
}

func ExampleConstant() {
	longestWaits(otelretry.Constant(2 * time.Second))
	// Output: 2s 2s 2s 2s 2s
}

func ExampleLinear() {
	longestWaits(otelretry.Linear(time.Second, 4*time.Second))
	// Output: 1s 2s 3s 4s 4s
}

func ExampleExponential() {
	longestWaits(otelretry.Exponential(200*time.Millisecond, 3*time.Second))
	// Output: 200ms 400ms 800ms 1.6s 3s
}

func ExampleFullJitter() {
	longestWaits(otelretry.FullJitter(200*time.Millisecond, 3*time.Second))
	// Output: 200ms 400ms 800ms 1.6s 3s
}

func ExampleEqualJitter() {
	shortest := func(int64) int64 { return 0 }
	fmt.Println(otelretry.EqualJitter(time.Second, time.Minute).Delay(3, 0, shortest))
	// Output: 2s
}

func ExampleDecorrelatedJitter() {
	longestWaits(otelretry.DecorrelatedJitter(time.Second, 30*time.Second))
	// Output: 3s 9s 27s 30s 30s
}

func ExampleExponentialWithJitter() {
	longestWaits(otelretry.ExponentialWithJitter(200*time.Millisecond, 3*time.Second, 100*time.Millisecond))
	// Output: 300ms 500ms 900ms 1.7s 3s
}

func ExampleBackoff_Delay() {
	random := rand.New(rand.NewPCG(1, 2)).Int64N
	wait := otelretry.FullJitter(200*time.Millisecond, 3*time.Second).Delay(1, 0, random)
	fmt.Println(wait >= 0, wait <= 200*time.Millisecond)
	// Output: true true
}

func ExampleBackoff_String() {
	fmt.Println(otelretry.ExponentialWithJitter(200*time.Millisecond, 3*time.Second, 50*time.Millisecond))
	// Output: exponential with jitter 200ms..3s +50ms
}

func ExampleClassify() {
	fmt.Println(otelretry.Classify(io.ErrUnexpectedEOF), otelretry.Classify(errors.New("no such user")))
	// Output: ambiguous unknown
}

func ExampleClassifyNetwork() {
	fmt.Println(otelretry.ClassifyNetwork(context.DeadlineExceeded))
	// Output: ambiguous
}

func ExampleClassifyHTTPStatus() {
	fmt.Println(otelretry.ClassifyHTTPStatus(fmt.Errorf("get: %w", statusError(429))))
	// Output: transient
}

func ExampleClassifySQLState() {
	fmt.Println(otelretry.ClassifySQLState(sqlError("40001")), otelretry.ClassifySQLState(sqlError("23505")))
	// Output: transient permanent
}

func ExampleClassifyGRPC() {
	fmt.Println(otelretry.ClassifyGRPC(status.Error(codes.Unavailable, "shutting down")))
	// Output: transient
}

func ExampleHTTPStatusClass() {
	fmt.Println(otelretry.HTTPStatusClass(503), otelretry.HTTPStatusClass(404))
	// Output: ambiguous permanent
}

func ExampleSQLStateClass() {
	fmt.Println(otelretry.SQLStateClass("40P01"))
	// Output: transient
}

func ExampleGRPCCodeClass() {
	fmt.Println(otelretry.GRPCCodeClass(uint32(codes.DeadlineExceeded)))
	// Output: ambiguous
}

func ExampleClass_String() {
	fmt.Println(otelretry.ClassUnknown, otelretry.ClassPermanent, otelretry.ClassTransient, otelretry.ClassAmbiguous)
	// Output: unknown permanent transient ambiguous
}

// A classifier for errors that one's own client makes.
func ExampleClassifier() {
	errLocked, errLost := errors.New("row is locked"), errors.New("no answer")
	var classify otelretry.Classifier = func(err error) otelretry.Class {
		switch {
		case errors.Is(err, errLocked):
			return otelretry.ClassTransient // nothing was done
		case errors.Is(err, errLost):
			return otelretry.ClassAmbiguous // it may have been done
		}
		return otelretry.ClassUnknown
	}
	update := policy(otelretry.WithClassifiers(classify, otelretry.Classify)).Operation("update")
	for _, err := range []error{errLocked, errLost} {
		n := 0
		_ = update.Run(context.Background(), func(context.Context) error { n++; return err })
		fmt.Println(err, n)
	}
	// Output:
	// row is locked 4
	// no answer 1
}

func ExampleWithClassifiers() {
	errLeaderless := errors.New("no leader yet")
	p := policy(otelretry.WithClassifiers(func(err error) otelretry.Class {
		if errors.Is(err, errLeaderless) {
			return otelretry.ClassTransient
		}
		return otelretry.ClassUnknown
	}, otelretry.Classify))
	calls := 0
	_ = p.Operation("write").Run(context.Background(), func(context.Context) error { calls++; return errLeaderless })
	fmt.Println(calls)
	// Output: 4
}

// attempts gives how many attempts a request makes that never succeeds.
func attempts(options ...otelretry.Option) (n int, err error) {
	err = policy(options...).Operation("charge").Run(context.Background(), func(context.Context) error {
		n++
		return otelretry.Retryable(errBusy)
	})
	return n, err
}

func ExampleWithMaxAttempts() {
	fmt.Println(attempts(otelretry.WithMaxAttempts(2)))
	// Output: 2 payments charge: attempts exhausted after 2 attempts in 200ms: busy
}

func ExampleWithUnboundedAttempts() {
	fmt.Println(attempts(otelretry.WithUnboundedAttempts(), otelretry.WithDeadline(10*time.Second)))
	// Output: 7 payments charge: deadline exceeded after 7 attempts in 9s: busy
}

func ExampleWithDeadline() {
	fmt.Println(attempts(otelretry.WithDeadline(time.Second)))
	// Output: 3 payments charge: deadline exceeded after 3 attempts in 600ms: busy
}

func ExampleWithoutDeadline() {
	fmt.Println(policy(otelretry.WithoutDeadline()).WorstCase() == otelretry.Unbounded)
	// Output: true
}

func ExampleWithAttemptTimeout() {
	clock := otelretrytest.NewClock(1)
	op := policy(otelretry.WithClock(clock), otelretry.WithMaxAttempts(1), otelretry.WithAttemptTimeout(800*time.Millisecond)).Operation("charge")
	_ = op.Run(context.Background(), func(ctx context.Context) error {
		err := clock.Work(ctx, time.Minute) // a server that hangs
		fmt.Println(err, "at", clock.Elapsed())
		fmt.Println(errors.Is(context.Cause(ctx), otelretry.ErrAttemptTimeout)) // not the caller's doing
		return err
	})
	// Output:
	// context deadline exceeded at 800ms
	// true
}

func ExampleWithBackoff() {
	fmt.Println(policy(otelretry.WithBackoff(otelretry.EqualJitter(100*time.Millisecond, time.Second))))
	// Output: payments: 4 attempts, deadline 30s, equal jitter 100ms..1s, Retry-After up to 30s, worst case 30s
}

func ExampleWithMaxRetryAfter() {
	err := policy(otelretry.WithMaxRetryAfter(5*time.Second)).Operation("charge").Run(context.Background(), func(context.Context) error {
		return otelretry.RetryAfter(24*time.Hour, errBusy)
	})
	fmt.Println(errors.Is(err, otelretry.ErrPushback))
	// Output: true
}

func ExampleWithoutRetryAfter() {
	err := policy(otelretry.WithoutRetryAfter()).Operation("charge").Run(context.Background(), func(context.Context) error {
		return otelretry.RetryAfter(24*time.Hour, errBusy)
	})
	fmt.Println(err)
	// Output: payments charge: attempts exhausted after 4 attempts in 1.4s: busy
}

func ExampleWithBudget() {
	budget, err := otelretry.NewShareBudget("payments", 0.1, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(attempts(otelretry.WithBudget(budget))) // a tenth of a token is not one retry
	// Output: 1 payments charge: retry budget spent after 1 attempt in 0s: busy
}

// halfOpen is a breaker that lets one attempt pass.
type halfOpen struct{ passed bool }

func (h *halfOpen) Allow() (func(error), error) {
	if h.passed {
		return nil, errors.New("open")
	}
	h.passed = true
	return nil, nil
}

func ExampleWithBreaker() {
	var breaker otelretry.Breaker = &halfOpen{}
	fmt.Println(attempts(otelretry.WithBreaker(breaker)))
	// Output: 1 payments charge: circuit breaker open after 1 attempt in 200ms: busy
}

func ExampleWithHedging() {
	fmt.Println(policy(otelretry.WithHedging(50*time.Millisecond, 1)))
	// Output: payments: 4 attempts, deadline 30s, exponential 200ms..3s, Retry-After up to 30s, hedging after 50ms, 1 hedge, worst case 30s
}

func ExampleWithHistory() {
	n := 0
	err := policy(otelretry.WithHistory(), otelretry.WithMaxAttempts(2)).Operation("charge").Run(context.Background(), func(context.Context) error {
		n++
		return otelretry.Retryable(fmt.Errorf("failure %d", n))
	})
	fmt.Println(err)
	// Output:
	// payments charge: attempts exhausted after 2 attempts in 200ms: failure 1
	// failure 2
}

func ExampleWithMeterProvider() {
	reader := metric.NewManualReader() // an exporter's, in a program
	payments := policy(otelretry.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))))
	_ = payments.Operation("charge").Run(context.Background(), func(context.Context) error { return nil })

	var collected metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &collected); err != nil {
		panic(err)
	}
	fmt.Println(collected.ScopeMetrics[0].Scope.Name == otelretry.ScopeName)
	for _, m := range collected.ScopeMetrics[0].Metrics {
		fmt.Println(m.Name, m.Unit)
	}
	// Unordered output:
	// true
	// otelretry.requests {request}
	// otelretry.attempts {attempt}
	// otelretry.retries {retry}
	// otelretry.retried_requests {request}
	// otelretry.request.attempts {attempt}
	// otelretry.request.duration s
	// otelretry.attempts.in_flight {attempt}
	// otelretry.idempotency.replays {replay}
}

// printSpans prints the spans of a request whose first attempt fails.
func printSpans(options ...otelretry.Option) {
	spans := tracetest.NewSpanRecorder() // an exporter's processor, in a program
	options = append(options, otelretry.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))
	_ = policy(options...).Operation("charge").Run(context.Background(), func(ctx context.Context) error {
		if otelretry.AttemptNumber(ctx) == 1 {
			return otelretry.Retryable(errBusy)
		}
		return nil
	})
	for _, span := range spans.Ended() {
		fmt.Printf("%s: %s, %s %q\n", span.Name(), span.SpanKind(), span.Status().Code, span.Status().Description)
	}
}

func ExampleWithTracerProvider() {
	spans := tracetest.NewSpanRecorder() // an exporter's processor, in a program
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	_ = policy(otelretry.WithTracerProvider(provider)).Operation("charge").Run(context.Background(), func(context.Context) error { return nil })
	for _, span := range spans.Ended() {
		fmt.Println(span.Name())
	}
	// Output:
	// charge attempt
	// charge
}

func ExampleWithErrorText() {
	printSpans(otelretry.WithErrorText())
	// Output:
	// charge attempt: internal, Error "busy"
	// charge attempt: internal, Unset ""
	// charge: internal, Unset ""
}

func ExampleWithAttemptSpans() {
	for _, mode := range []otelretry.AttemptSpans{otelretry.AllAttempts, otelretry.RetriesOnly, otelretry.NoAttempts} {
		fmt.Println("mode", mode)
		printSpans(otelretry.WithAttemptSpans(mode))
	}
	// Output:
	// mode 0
	// charge attempt: internal, Error ""
	// charge attempt: internal, Unset ""
	// charge: internal, Unset ""
	// mode 1
	// charge attempt: internal, Unset ""
	// charge: internal, Unset ""
	// mode 2
	// charge: internal, Unset ""
}

func ExampleWithAttemptSpanKind() {
	printSpans(otelretry.WithAttemptSpanKind(trace.SpanKindClient))
	// Output:
	// charge attempt: client, Error ""
	// charge attempt: client, Unset ""
	// charge: internal, Unset ""
}

func ExampleWithRetriedAttemptsUnset() {
	printSpans(otelretry.WithRetriedAttemptsUnset())
	// Output:
	// charge attempt: internal, Unset ""
	// charge attempt: internal, Unset ""
	// charge: internal, Unset ""
}

func ExampleWithoutTelemetry() {
	_, err := otelretry.New("payments", otelretry.WithoutTelemetry(), otelretry.WithErrorText())
	fmt.Println(err)
	// Output: otelretry: policy "payments": WithoutTelemetry: contradicts WithErrorText; keep one of them
}

func ExampleWithBareFirstAttempt() {
	lookup := policy(otelretry.WithoutTelemetry(), otelretry.WithBareFirstAttempt()).Operation("lookup")
	err := lookup.Run(context.Background(), func(context.Context) error { return io.EOF })
	fmt.Println(err == io.EOF)
	// Output: true
}

func ExampleWithClock() {
	var clock otelretry.Clock = otelretrytest.NewClock(1) // waits take no time
	fmt.Println(attempts(otelretry.WithClock(clock)))
	// Output: 4 payments charge: attempts exhausted after 4 attempts in 1.4s: busy
}
