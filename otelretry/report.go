package otelretry

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// panicType is the error.type of an attempt whose function panicked.
const panicType = "panic"

// begin starts what is told about the request.
func (r *request) begin() {
	r.measured = r.op.telemetry.enabled(r.ctx)
	if r.op.policy.tracer != nil {
		r.startSpan()
	}
	r.told = r.measured || r.span != nil || r.op.policy.observer != nil
}

// runningAttempt is an attempt and what is told about it.
type runningAttempt struct {
	*attempt
	ctx   context.Context // what the function gets
	span  trace.Span      // nil: none
	delay time.Duration   // the wait before it
}

// startAttempt tells that an attempt starts.
func (r *request) startAttempt(a *runningAttempt) {
	if r.site != nil {
		r.startAttemptSpan(a)
	}
	if r.measured {
		r.op.telemetry.inFlight.Add(1)
	}
	if r.op.policy.observer != nil {
		r.observe(Event{Kind: AttemptStarted, Context: a.ctx, Attempt: int(a.number)})
	}
}

// endAttempt tells that an attempt is over, and whether it is retried.
func (r *request) endAttempt(a *runningAttempt, err error, failed string, retried bool) {
	if a.span != nil {
		r.endAttemptSpan(a, failed, err, retried)
	}
	if r.measured {
		r.op.telemetry.attemptEnded(a.ctx, failed)
	}
	if r.op.policy.observer != nil {
		r.observe(Event{Kind: AttemptEnded, Context: a.ctx, Attempt: int(a.number), Err: err})
	}
}

// typeOf gives the error type of a failed attempt for spans and metrics, and
// "" when there are none.
func (r *request) typeOf(err error, timedOut bool) string {
	if r.site == nil && !r.measured {
		return ""
	}
	if timedOut {
		return errorType(ErrAttemptTimeout)
	}
	return errorType(err)
}

// scheduled tells that a retry will follow after a wait.
func (r *request) scheduled(err error, failed string, wait time.Duration) {
	p := r.op.policy
	if p.observer != nil {
		r.observe(Event{Kind: RetryScheduled, Context: r.ctx, Attempt: r.count, Delay: wait, Err: err})
	}
	if !p.logs {
		return
	}
	logger := p.log()
	if !logger.Enabled(r.ctx, slog.LevelDebug) {
		return
	}
	attributes := append(make([]slog.Attr, 0, 6), r.logged()...)
	attributes = append(attributes, slog.Int("retry.attempt.number", r.count),
		slog.Duration("retry.attempt.delay", wait), slog.String("error.type", loggedType(failed, err)))
	logger.LogAttrs(r.ctx, slog.LevelDebug, "retrying", r.withText(attributes, err)...)
}

// report tells that the request is over.
func (r *request) report(outcome Outcome, now time.Duration) {
	p := r.op.policy
	if r.span != nil {
		r.endSpan(outcome)
	}
	if r.measured {
		seconds := max(now-r.start, 0).Seconds()
		added := 0.0
		if r.firstOver {
			added = max(now-r.firstEnded, 0).Seconds()
		}
		r.op.telemetry.requestEnded(r.ctx, r, outcome, seconds, added)
	}
	if p.observer != nil {
		r.observe(Event{Kind: RequestEnded, Context: r.ctx, Attempt: r.count, Outcome: outcome, Err: r.returned(outcome)})
	}
}

func (r *request) logGivingUp(outcome Outcome) {
	logger := r.op.policy.log()
	if !logger.Enabled(r.ctx, slog.LevelWarn) {
		return
	}
	attributes := append(make([]slog.Attr, 0, 7), r.logged()...)
	attributes = append(attributes, slog.String("retry.outcome", outcome.String()), slog.Int("retry.attempts", r.count),
		slog.Duration("elapsed", r.failure.Elapsed), slog.String("error.type", loggedType(r.lastType, r.failure.Err)))
	logger.LogAttrs(r.ctx, slog.LevelWarn, "retries exhausted", r.withText(attributes, r.failure.Err)...)
}

func (r *request) logged() []slog.Attr {
	return []slog.Attr{
		slog.String("retry.dependency", r.op.policy.dependency), slog.String("retry.operation", r.op.name),
	}
}

// loggedType gives the error type that telemetry found already, or finds it.
func loggedType(found string, err error) string {
	if found != "" {
		return found
	}
	return errorType(err)
}

func (r *request) withText(attributes []slog.Attr, err error) []slog.Attr {
	if r.op.policy.errorText && err != nil {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	return attributes
}

func (p *Policy) log() *slog.Logger {
	if p.logger != nil {
		return p.logger
	}
	return slog.Default()
}

func (r *request) observe(e Event) {
	e.Operation = r.op
	e.Elapsed = max(r.op.policy.now()-r.start, 0)
	r.op.policy.observer(e)
}
