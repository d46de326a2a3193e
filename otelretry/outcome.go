package otelretry

// Outcome says how a request ended. It is the value of the attribute
// retry.outcome on request spans and on the metric otelretry.requests, and
// the Reason of an [Error]. Each request has exactly one.
type Outcome uint8

// The outcomes, in the order in which a request can meet them.
const (
	// FirstAttemptSuccess: the first attempt succeeded.
	FirstAttemptSuccess Outcome = iota
	// RetriedSuccess: an attempt after the first succeeded.
	RetriedSuccess
	// NotRetryable: an attempt failed with an error that is not on the
	// allowlist, so that another attempt would fail the same way.
	NotRetryable
	// AttemptsExhausted: the last attempt that the policy allows failed.
	AttemptsExhausted
	// DeadlineExceeded: the policy's total deadline, or the deadline of the
	// caller's context, is over or would be before the next attempt.
	DeadlineExceeded
	// BudgetRejected: the policy's retry budget is spent.
	BudgetRejected
	// BreakerOpen: the policy's circuit breaker refused the next attempt.
	BreakerOpen
	// Pushback: the server asked for a wait longer than the policy's limit
	// for such hints or longer than what is left of the deadline.
	Pushback
	// Canceled: the caller canceled its context.
	Canceled

	outcomeCount = iota
)

var outcomeNames = [outcomeCount]string{
	"first_attempt_success", "retried_success", "not_retryable", "attempts_exhausted",
	"deadline_exceeded", "budget_rejected", "breaker_open", "pushback", "canceled",
}

// String gives the outcome as telemetry spells it, for example
// "attempts_exhausted".
func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return "unknown"
	}
	return outcomeNames[o]
}

// Success reports whether the request succeeded.
func (o Outcome) Success() bool { return o == FirstAttemptSuccess || o == RetriedSuccess }

// gaveUp reports whether the policy stopped although the failure might have
// passed: what an operator wants to hear about.
func (o Outcome) gaveUp() bool { return o >= AttemptsExhausted && o != Canceled }
