package otelretry

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Sentinels for errors.Is: why a policy gave up. They match an [Error] by its
// Reason.
var (
	// ErrNotRetryable matches when the last error was not on the allowlist.
	ErrNotRetryable = errors.New("not retryable")
	// ErrExhausted matches when the last allowed attempt failed.
	ErrExhausted = errors.New("attempts exhausted")
	// ErrDeadline matches when the policy's or the caller's deadline is over
	// or would be before the next attempt.
	ErrDeadline = errors.New("deadline exceeded")
	// ErrBudget matches when the retry budget is spent.
	ErrBudget = errors.New("retry budget spent")
	// ErrBreaker matches when the circuit breaker refused an attempt.
	ErrBreaker = errors.New("circuit breaker open")
	// ErrPushback matches when the server asked for a longer wait than the
	// policy grants.
	ErrPushback = errors.New("server asked for too long a wait")
	// ErrCanceled matches when the caller canceled its context.
	ErrCanceled = errors.New("canceled by the caller")

	// ErrAttemptTimeout is the cause (context.Cause) of an attempt's context
	// that ended because of WithAttemptTimeout, and not because the caller
	// gave up.
	ErrAttemptTimeout = errors.New("otelretry: attempt timeout")
)

var reasonErrors = [outcomeCount]error{
	NotRetryable: ErrNotRetryable, AttemptsExhausted: ErrExhausted, DeadlineExceeded: ErrDeadline,
	BudgetRejected: ErrBudget, BreakerOpen: ErrBreaker, Pushback: ErrPushback, Canceled: ErrCanceled,
}

// Error is what a request returns when it fails: why the policy stopped,
// after how many attempts and how long, and the last error of the function,
// which errors.Is and errors.As see through it.
//
// An Error also matches the sentinel of its Reason: context.Canceled and
// context.DeadlineExceeded too for these reasons, and, when the caller's
// context ended or a breaker refused, the error that those gave.
type Error struct {
	// Dependency and Operation name what was called.
	Dependency, Operation string
	// Reason is the outcome of the request.
	Reason Outcome
	// Attempts is how many attempts were made; 0 when the context had ended
	// or the breaker refused before the first.
	Attempts int
	// Elapsed is the time from the start of the request to giving up, waits
	// included.
	Elapsed time.Duration
	// Err is the last error of the function, or all of them joined, first to
	// last, with WithHistory. It is what stopped the request when no attempt
	// was made.
	Err error

	cause error  // the context's or the breaker's error
	why   string // behind the reason: why the failure is not retryable, "" nothing
}

// Error says all of it in one line; of a failure that is not retryable also
// why: it is permanent, or no classifier knows it, or the server may have acted
// and the operation doesn't allow to send it again.
func (e *Error) Error() string {
	noun := "attempts"
	if e.Attempts == 1 {
		noun = "attempt"
	}
	why := ""
	if e.why != "" {
		why = " (" + e.why + ")"
	}
	return fmt.Sprintf("%s %s: %v%s after %d %s in %s: %v", e.Dependency, e.Operation,
		e.sentinel(), why, e.Attempts, noun, e.Elapsed.Round(time.Microsecond), e.Err)
}

// Unwrap gives Err.
func (e *Error) Unwrap() error { return e.Err }

// Is matches the sentinel of the Reason, and what ended the caller's context
// or was returned by the breaker.
func (e *Error) Is(target error) bool {
	switch {
	case target == e.sentinel(),
		e.Reason == Canceled && target == context.Canceled,
		e.Reason == DeadlineExceeded && target == context.DeadlineExceeded:
		return true
	}
	return e.cause != nil && errors.Is(e.cause, target)
}

// As finds what ended the caller's context, or was returned by the breaker,
// where Err holds nothing of the wanted type.
func (e *Error) As(target any) bool {
	return errors.As(e.Err, target) || errors.As(e.cause, target)
}

// whyNot says why a failure of this class is not retried.
func whyNot(class Class) string {
	switch class {
	case ClassPermanent:
		return "the failure is permanent"
	case ClassAmbiguous:
		return "the server may have acted, and the operation is neither idempotent nor sends a key"
	}
	return "no classifier knows the failure"
}

func (e *Error) sentinel() error {
	if int(e.Reason) < len(reasonErrors) && reasonErrors[e.Reason] != nil {
		return reasonErrors[e.Reason]
	}
	return errors.New(e.Reason.String())
}
