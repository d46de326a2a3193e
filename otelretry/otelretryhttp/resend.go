package otelretryhttp

import (
	"net/http"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/retrykit/retrykit/otelretry"
)

// CountResends sets http.request.resend_count on the span of each repeated
// send. Put it below an instrumented transport, such as otelhttp's, whose spans
// are made below the retries; the transport of this package does it by itself
// on the policy's own attempt spans. A nil base means http.DefaultTransport.
// The result is as safe for concurrent use as base.
func CountResends(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return resendCounter{base}
}

type resendCounter struct{ base http.RoundTripper }

func (c resendCounter) RoundTrip(r *http.Request) (*http.Response, error) {
	markResend(trace.SpanFromContext(r.Context()), otelretry.AttemptNumber(r.Context()))
	return c.base.RoundTrip(r)
}

// CloseIdleConnections is for http.Client.CloseIdleConnections.
func (c resendCounter) CloseIdleConnections() { closeIdle(c.base) }

func markResend(span trace.Span, attempt int) {
	if attempt < 2 || !span.IsRecording() {
		return // the convention wants it on resends only
	}
	span.SetAttributes(semconv.HTTPRequestResendCount(attempt - 1))
}

func closeIdle(base http.RoundTripper) {
	if c, ok := base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
