// Package contract holds the names of the telemetry contract: the metrics,
// attributes and outcomes that the otelretry wrapper emits and that the
// readers, figures, rules and dashboards agree on. It is data only; a name
// changes only with SchemaVersion.
package contract

// SchemaVersion is the version of the contract and of the JSON summary.
const SchemaVersion = 1

// Attributes of metrics and spans.
const (
	AttrDependency  = "retry.dependency"
	AttrOperation   = "retry.operation"
	AttrOutcome     = "retry.outcome"
	AttrSaved       = "retry.saved"
	AttrBudgetName  = "retry.budget.name"
	AttrErrorType   = "error.type"
	AttrOverflow    = "otel.metric.overflow"
	AttrMaxAttempts = "retry.max_attempts"
	AttrAttempts    = "retry.attempts"
	AttrBackoff     = "retry.backoff.total"
	AttrAttempt     = "retry.attempt.number"
	AttrDelay       = "retry.attempt.delay"
	AttrCodeFile    = "code.file.path"
	AttrCodeLine    = "code.line.number"
)

// Other stands for the names that did not fit under a limit: operations,
// error types, budgets.
const Other = "_OTHER"

// Outcomes of a request, the values of AttrOutcome.
const (
	FirstAttemptSuccess = "first_attempt_success"
	RetriedSuccess      = "retried_success"
	NotRetryable        = "not_retryable"
	AttemptsExhausted   = "attempts_exhausted"
	DeadlineExceeded    = "deadline_exceeded"
	BudgetRejected      = "budget_rejected"
	BreakerOpen         = "breaker_open"
	Pushback            = "pushback"
	Canceled            = "canceled"
)

// Outcomes returns every outcome, in the contract's order.
func Outcomes() []string {
	return []string{
		FirstAttemptSuccess, RetriedSuccess, NotRetryable, AttemptsExhausted, DeadlineExceeded,
		BudgetRejected, BreakerOpen, Pushback, Canceled,
	}
}

// Instrument is the kind of an instrument, as far as names and readers care.
type Instrument uint8

// The kinds of instruments that occur in the contract and its dialects.
const (
	Counter Instrument = iota
	UpDownCounter
	Gauge
	Histogram
)

// Metric is one instrument: its OpenTelemetry name, kind and UCUM unit.
type Metric struct {
	Name       string
	Instrument Instrument
	Unit       string
}

// The metrics of the contract.
var (
	Requests          = Metric{"otelretry.requests", Counter, "{request}"}
	Attempts          = Metric{"otelretry.attempts", Counter, "{attempt}"}
	Retries           = Metric{"otelretry.retries", Counter, "{retry}"}
	RetriedRequests   = Metric{"otelretry.retried_requests", Counter, "{request}"}
	RequestAttempts   = Metric{"otelretry.request.attempts", Histogram, "{attempt}"}
	RequestDuration   = Metric{"otelretry.request.duration", Histogram, "s"}
	AddedDuration     = Metric{"otelretry.request.added_duration", Histogram, "s"}
	InFlight          = Metric{"otelretry.attempts.in_flight", UpDownCounter, "{attempt}"}
	BudgetRejections  = Metric{"otelretry.budget.rejections", Counter, "{rejection}"}
	BudgetUtilization = Metric{"otelretry.budget.utilization", Gauge, "1"}
	Replays           = Metric{"otelretry.idempotency.replays", Counter, "{replay}"}
)

// Metrics returns every metric of the contract, in the contract's order.
func Metrics() []Metric {
	return []Metric{
		Requests, Attempts, Retries, RetriedRequests, RequestAttempts, RequestDuration, AddedDuration,
		InFlight, BudgetRejections, BudgetUtilization, Replays,
	}
}
