package otelretry

import (
	"context"
	"time"
)

// EventKind says what an [Event] tells.
type EventKind uint8

const (
	// AttemptStarted: an attempt is about to run.
	AttemptStarted EventKind = iota
	// AttemptEnded: an attempt returned; Err is its error.
	AttemptEnded
	// RetryScheduled: the policy is about to wait Delay before attempt
	// Attempt+1; Err is what caused it.
	RetryScheduled
	// RequestEnded: the request is over; Outcome says how.
	RequestEnded
)

// String names the kind: "attempt_started", "attempt_ended",
// "retry_scheduled", "request_ended".
func (k EventKind) String() string {
	switch k {
	case AttemptStarted:
		return "attempt_started"
	case AttemptEnded:
		return "attempt_ended"
	case RetryScheduled:
		return "retry_scheduled"
	case RequestEnded:
		return "request_ended"
	}
	return "unknown"
}

// Event is what an observer is told; see [WithObserver].
type Event struct {
	Kind EventKind
	// Context is the request's, or the attempt's for AttemptStarted and
	// AttemptEnded.
	Context context.Context
	// Operation is the handle that the request was made with.
	Operation *Operation
	// Attempt is the number of the attempt, from 1; how many there were for
	// RequestEnded.
	Attempt int
	// Delay is the wait before the next attempt for RetryScheduled.
	Delay time.Duration
	// Elapsed is the time since the request started.
	Elapsed time.Duration
	// Err is the attempt's error, or that of the request for RequestEnded;
	// nil when it succeeded.
	Err error
	// Outcome is how the request ended, for RequestEnded.
	Outcome Outcome
}
