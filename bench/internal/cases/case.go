// Package cases holds what is measured: the same requests, made by otelretry,
// by other libraries and by hand.
package cases

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// Scenario is what happens to a request.
type Scenario struct {
	// Name says it.
	Name string
	// Failures is how many attempts fail before one succeeds.
	Failures int
	// Err is what they fail with.
	Err error
}

// The scenarios. Waits are as short as each library allows, so that what is
// measured is the library and not its patience.
var (
	FirstAttempt = Scenario{Name: "first attempt", Failures: 0}
	ThirdAttempt = Scenario{Name: "third attempt", Failures: 2, Err: &StatusError{Code: http.StatusServiceUnavailable}}
	Permanent    = Scenario{Name: "permanent error", Failures: math.MaxInt, Err: &StatusError{Code: http.StatusNotFound}}
)

// Scenarios gives all of them.
func Scenarios() []Scenario { return []Scenario{FirstAttempt, ThirdAttempt, Permanent} }

// StatusError is the error of a client that got an HTTP response.
type StatusError struct{ Code int }

func (e *StatusError) Error() string   { return fmt.Sprintf("status %d", e.Code) }
func (e *StatusError) StatusCode() int { return e.Code }

// Case is one way to make requests.
type Case struct {
	// Name is the library's, with its version.
	Name string
	// Make gives a function that makes one request of the scenario.
	Make func(Scenario) func(context.Context) error
}

// attempt stands for the call that is retried. It is not inlined: what a
// caller retries never is.
//
//go:noinline
func attempt(s *Scenario, calls *int) (int, error) {
	*calls++
	if *calls <= s.Failures {
		return 0, s.Err
	}
	return *calls, nil
}

// The policy that every case has: 4 attempts, 30 s in all.
const (
	maxAttempts = 4
	deadline    = 30 * time.Second
	shortest    = time.Nanosecond
)

// retryable is the classification that a careful loop does by hand, and that
// is given to the libraries without one of their own.
func retryable(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var status *StatusError
	if errors.As(err, &status) {
		switch status.Code {
		case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusBadGateway,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// HandWritten is the yardstick: the loop that a careful engineer writes, with
// a bound, a deadline, full jitter, a classification, and a wait that ends
// with the context.
func HandWritten() Case {
	return Case{Name: "hand-written loop", Make: func(s Scenario) func(context.Context) error {
		return func(ctx context.Context) error {
			calls := 0
			_, err := loop(ctx, func(context.Context) (int, error) { return attempt(&s, &calls) })
			return err
		}
	}}
}

// HandWrittenContext is the same loop with the deadline and an idempotency key
// in the context of the attempts: what otelretry gives unless it is told not
// to.
func HandWrittenContext() Case {
	return Case{Name: "hand-written loop, deadline and key in the context", Make: func(s Scenario) func(context.Context) error {
		return func(ctx context.Context) error {
			calls := 0
			ctx, cancel := context.WithTimeout(ctx, deadline)
			defer cancel()
			ctx = context.WithValue(ctx, keyOfRequest{}, newKey())
			_, err := loop(ctx, func(context.Context) (int, error) { return attempt(&s, &calls) })
			return err
		}
	}}
}

type keyOfRequest struct{}

func newKey() string {
	var key [16]byte
	cryptorand.Read(key[:])
	return hex.EncodeToString(key[:])
}

func loop(ctx context.Context, call func(context.Context) (int, error)) (int, error) {
	start := time.Now()
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		value, err := call(ctx)
		if err == nil {
			return value, nil
		}
		if n == maxAttempts || !retryable(err) {
			return value, err
		}
		wait := time.Duration(rand.Int64N(int64(shortest)<<(n-1) + 1))
		if time.Since(start)+wait > deadline {
			return value, fmt.Errorf("deadline of %s: %w", deadline, err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return value, ctx.Err()
		}
	}
}
