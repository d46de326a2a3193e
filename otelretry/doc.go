// Package otelretry retries calls to a dependency and tells, by OpenTelemetry,
// what that costs.
//
// # The model
//
// A request is one logical call as its caller sees it. It is made of attempts:
// the first call, and up to a few retries, with waits between them. Always say
// which of the two a number counts: WithMaxAttempts(4) is one call and at most
// three retries.
//
// After a failed attempt there is one question: would the same call succeed
// later, and does making it again do no harm? The answer is a class:
//
//   - transient: the request was not processed, so try again;
//   - ambiguous: nobody knows whether the server acted (a timeout, a lost
//     connection), so try again only if the operation is idempotent or carries
//     an idempotency key;
//   - permanent: everything else. It comes back after one attempt.
//
// Classification is an allowlist. What it doesn't know isn't retried: mark it
// with [Retryable] where your code knows better.
//
// Limits keep retries from making an outage worse: a bound on attempts, a
// deadline for the whole request, a limit for each attempt, and a budget, the
// share of the traffic that may be retries.
//
// # One policy per dependency
//
// A [Policy] says all of this for one dependency. Make it at start-up, where a
// setting that is wrong is an error; it never changes and everybody can share
// it. An [Operation] is one kind of request, a handle made once:
//
//	payments, err := otelretry.New("payments",
//		otelretry.WithDeadline(3*time.Second),
//		otelretry.WithAttemptTimeout(800*time.Millisecond))
//	charge := payments.Operation("charge")
//
// Then each request is one call:
//
//	receipt, err := otelretry.Do(ctx, charge, func(ctx context.Context) (Receipt, error) {
//		return client.Charge(ctx, otelretry.IdempotencyKey(ctx), order)
//	})
//
// The function gets the attempt's own context. Pass it on: it ends with the
// attempt's time limit, carries the attempt's span, and knows the
// [IdempotencyKey], which is made once per request and so the same in every
// attempt, and the [AttemptNumber].
//
// # What comes back
//
// The last value, with nil or an [Error] that says why the policy stopped, after
// how many attempts and how long. It wraps the last error of the function, so
// that errors.Is and errors.As work as if there were no retries, and matches
// [ErrExhausted], [ErrDeadline], [ErrBudget], [ErrBreaker], [ErrPushback],
// [ErrCanceled] or [ErrNotRetryable].
//
// # What is told
//
// Each request has a span with the outcome and the line of code that made it,
// and each attempt a span beneath it. Metrics count requests by outcome,
// attempts, retries by what caused them, and the time that retries added; they
// are made so that first-attempt success, the figure that retries hide, can be
// read off. The package bounds the number of series by itself. Providers are
// the global ones unless [WithTracerProvider] and [WithMeterProvider] say
// otherwise. A WARN is logged when the policy gives up, a DEBUG line for each
// retry.
//
// # Daily use on one screen
//
//	New(dependency, options...)     a policy          policy.Operation(name, Idempotent())
//	Do(ctx, op, fn)                 a request         op.Run(ctx, fn)
//	IdempotencyKey(ctx)             inside fn         AttemptNumber(ctx)
//	Permanent(err), Retryable(err)  marks             RetryAfter(d, err)
//	WithMaxAttempts, WithDeadline, WithAttemptTimeout, WithBackoff, WithBudget
//
// # In tests
//
// A policy takes its time, waits and randomness from one [Clock]. That of
// package otelretrytest passes waits at once and remembers them, and its
// recorder asserts on the spans and metrics:
//
//	clock, recorder := otelretrytest.NewClock(1), otelretrytest.NewRecorder(t)
//	policy, err := otelretry.New("payments", append(recorder.Options(), otelretry.WithClock(clock))...)
//	... // requests
//	assert.Equal(t, []time.Duration{7 * time.Second, 7 * time.Second}, clock.Waits())
//	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.AttemptsExhausted: 1})
//
// HTTP, gRPC and database/sql have packages of their own beside this one.
package otelretry
