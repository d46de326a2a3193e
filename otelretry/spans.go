package otelretry

import (
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"
)

const (
	keyMaxAttempts   = attribute.Key("retry.max_attempts")
	keyAttempts      = attribute.Key("retry.attempts")
	keyBackoffTotal  = attribute.Key("retry.backoff.total")
	keyAttemptNumber = attribute.Key("retry.attempt.number")
	keyAttemptDelay  = attribute.Key("retry.attempt.delay")
)

// newTracer gives the tracer of a provider; nil for one that traces nothing.
func newTracer(provider trace.TracerProvider) trace.Tracer {
	if _, noop := provider.(nooptrace.TracerProvider); noop {
		return nil
	}
	return provider.Tracer(ScopeName, trace.WithInstrumentationVersion(Version()))
}

// prepareSpans makes what all spans of the operation share.
func (op *Operation) prepareSpans() {
	op.spanName = op.name
	op.childName = op.name + " attempt"
	op.childStart = []trace.SpanStartOption{trace.WithSpanKind(op.policy.attemptKind)}
}

// startSpan starts the request's span.
func (r *request) startSpan() {
	ctx, span := r.op.policy.tracer.Start(r.ctx, r.op.spanName)
	r.ctx, r.span = ctx, span
	if span.IsRecording() {
		r.site = r.op.site()
	}
}

// endSpan ends the request's span. All attributes are set at once and at the
// end: the SDK grows its storage at each call.
func (r *request) endSpan(outcome Outcome) {
	if r.site == nil {
		r.span.End()
		return
	}
	if outcome == FirstAttemptSuccess {
		r.span.SetAttributes(r.site.first...)
		r.span.End()
		return
	}
	space := make([]attribute.KeyValue, 0, 10)
	attributes := r.op.requestAttributes(space, r.site, r.count, outcome, r.waited)
	if !outcome.Success() {
		attributes = append(attributes, keyErrorType.String(r.lastType))
		r.span.SetStatus(codes.Error, r.errorText(r.failure.Err))
	}
	r.span.SetAttributes(attributes...)
	r.span.End()
}

func (op *Operation) requestAttributes(to []attribute.KeyValue, s *site, attempts int, outcome Outcome, waited time.Duration) []attribute.KeyValue {
	to = append(to,
		keyDependency.String(op.policy.dependency), keyOperation.String(op.name),
		keyAttempts.Int(attempts), keyOutcome.String(outcome.String()), keyBackoffTotal.Float64(waited.Seconds()))
	if op.policy.maxAttempts != math.MaxInt {
		to = append(to, keyMaxAttempts.Int(op.policy.maxAttempts))
	}
	return append(to, s.code...)
}

// firstAttempt are the attributes of an attempt span that succeeded at once.
var firstAttempt = []attribute.KeyValue{keyAttemptNumber.Int(1), keyAttemptDelay.Float64(0)}

// startAttemptSpan starts the span of an attempt, when the mode asks for one.
func (r *request) startAttemptSpan(a *runningAttempt) {
	p := r.op.policy
	if p.attemptSpans == NoAttempts || p.attemptSpans == RetriesOnly && a.number == 1 {
		return
	}
	a.ctx, a.span = p.tracer.Start(a.ctx, r.op.childName, r.op.childStart...)
}

// endAttemptSpan ends the span of an attempt; failed is "" for a success.
func (r *request) endAttemptSpan(a *runningAttempt, failed string, err error, retried bool) {
	if a.number == 1 && failed == "" {
		a.span.SetAttributes(firstAttempt...)
		a.span.End()
		return
	}
	attributes := []attribute.KeyValue{keyAttemptNumber.Int(int(a.number)), keyAttemptDelay.Float64(a.delay.Seconds())}
	if failed != "" {
		attributes = append(attributes, keyErrorType.String(failed))
		if !retried || !r.op.policy.retriedUnset {
			a.span.SetStatus(codes.Error, r.errorText(err))
		}
	}
	a.span.SetAttributes(attributes...)
	a.span.End()
}

// errorText is the description of a failed span: empty unless asked for.
func (r *request) errorText(err error) string {
	if !r.op.policy.errorText || err == nil {
		return ""
	}
	return err.Error()
}
