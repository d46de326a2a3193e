package otelretrytest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

var errDown = errors.New("down")

// In a test of your own, t is what the test was given.
var t = &testing.T{}

func request(clock *otelretrytest.Clock, recorder *otelretrytest.Recorder, failures int) error {
	policy, err := otelretry.New("payments", append(recorder.Options(), otelretry.WithClock(clock),
		otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second)))...)
	if err != nil {
		return err
	}
	return policy.Operation("charge").Run(context.Background(), func(ctx context.Context) error {
		if otelretry.AttemptNumber(ctx) <= failures {
			return otelretry.Retryable(errDown)
		}
		return clock.Work(ctx, 50*time.Millisecond)
	})
}

// The schedule of the retries, and what was told about them, without a wait.
func Example() {
	clock, recorder := otelretrytest.NewClock(1), otelretrytest.NewRecorder(t)
	err := request(clock, recorder, 2)
	fmt.Println(err, clock.Waits())
	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.RetriedSuccess: 1})
	recorder.AssertConsistent()
	// Output: <nil> [200ms 400ms]
}

func ExampleNewClock() {
	a, b := otelretrytest.NewClock(7), otelretrytest.NewClock(7)
	fmt.Println(a.Uint64() == b.Uint64(), a.Now() == otelretrytest.Start)
	// Output: true true
}

func ExampleClock_Now() {
	fmt.Println(otelretrytest.NewClock(1).Now())
	// Output: 2026-01-01 00:00:00 +0000 UTC
}

func ExampleClock_Elapsed() {
	clock := otelretrytest.NewClock(1)
	clock.Advance(time.Hour)
	fmt.Println(clock.Elapsed())
	// Output: 1h0m0s
}

func ExampleClock_Uint64() {
	one, same := otelretrytest.NewClock(1), otelretrytest.NewClock(1)
	fmt.Println(one.Uint64() == same.Uint64())
	// Output: true
}

func ExampleClock_Sleep() {
	clock := otelretrytest.NewClock(1)
	fmt.Println(clock.Sleep(context.Background(), time.Minute), clock.Waits())
	// Output: <nil> [1m0s]
}

func ExampleClock_Work() {
	clock := otelretrytest.NewClock(1)
	ctx, cancel := clock.WithTimeout(context.Background(), time.Second)
	defer cancel()
	fmt.Println(clock.Work(ctx, time.Minute), clock.Elapsed(), clock.Waits())
	// Output: context deadline exceeded 1s []
}

func ExampleClock_Advance() {
	clock := otelretrytest.NewClock(1)
	clock.AfterFunc(time.Second, func() { fmt.Println("due at", clock.Elapsed()) })
	clock.Advance(time.Minute)
	// Output: due at 1s
}

func ExampleClock_AfterFunc() {
	clock := otelretrytest.NewClock(1)
	stop := clock.AfterFunc(time.Second, func() { fmt.Println("never") })
	fmt.Println(stop(), stop())
	clock.Advance(time.Minute)
	// Output: true false
}

func ExampleClock_WithTimeout() {
	clock := otelretrytest.NewClock(1)
	ctx, cancel := clock.WithTimeout(context.Background(), time.Second)
	defer cancel()
	clock.Advance(time.Second)
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

func ExampleClock_Waits() {
	clock := otelretrytest.NewClock(1)
	_ = request(clock, otelretrytest.NewRecorder(t), 9)
	fmt.Println(clock.Waits())
	// Output: [200ms 400ms 800ms]
}

func ExampleNewRecorder() {
	recorder := otelretrytest.NewRecorder(t)
	fmt.Println(len(recorder.Options()), recorder.TracerProvider() != nil, recorder.MeterProvider() != nil)
	// Output: 2 true true
}

func ExampleRecorder_Options() {
	policy, err := otelretry.New("payments", otelretrytest.NewRecorder(t).Options()...)
	fmt.Println(policy.Dependency(), err)
	// Output: payments <nil>
}

func ExampleRecorder_TracerProvider() {
	fmt.Println(otelretrytest.NewRecorder(t).TracerProvider() != nil)
	// Output: true
}

func ExampleRecorder_MeterProvider() {
	fmt.Println(otelretrytest.NewRecorder(t).MeterProvider() != nil)
	// Output: true
}

func ExampleRecorder_Requests() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 1)
	for _, request := range recorder.Requests() {
		fmt.Println(request.Operation, request.Outcome(), request.Failed)
		for _, attempt := range request.Attempts {
			fmt.Println("attempt", attempt.Number, attempt.ErrorType())
		}
	}
	// Output:
	// charge retried_success false
	// attempt 1 *errors.errorString
	// attempt 2
}

func ExampleRequest_Outcome() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 9)
	fmt.Println(recorder.Requests()[0].Outcome())
	// Output: attempts_exhausted
}

func ExampleAttempt_ErrorType() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 9)
	fmt.Println(recorder.Requests()[0].Attempts[0].ErrorType())
	// Output: *errors.errorString
}

func ExampleRecorder_Metrics() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 0)
	fmt.Println(recorder.Metrics()["otelretry.request.duration"].Unit)
	// Output: s
}

func ExampleRecorder_Count() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 2)
	fmt.Println(recorder.Count("otelretry.attempts"), recorder.Count("otelretry.attempts", attribute.String("error.type", "*errors.errorString")))
	// Output: 3 2
}

func ExampleRecorder_AssertOutcomes() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 0)
	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1})
	fmt.Println(t.Failed())
	// Output: false
}

func ExampleRecorder_AssertConsistent() {
	recorder := otelretrytest.NewRecorder(t)
	_ = request(otelretrytest.NewClock(1), recorder, 2)
	recorder.AssertConsistent()
	fmt.Println(t.Failed())
	// Output: false
}
