package otelretryhttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/retrykit/retrykit/otelretry"
)

// send is one request while it is sent, once or more.
type send struct {
	transport *Transport
	request   *http.Request

	harmless       bool // idempotent by its method, or by a key
	addKey         bool
	repeatableBody bool
	getBody        func() (io.ReadCloser, error)

	attempts int            // started
	span     trace.Span     // that of the first attempt
	failed   *http.Response // that of the last attempt, when its status is a failure
}

// newSend says what may be done with a request. It reads a short body ahead,
// which can fail.
func (t *Transport) newSend(r *http.Request) (*send, error) {
	s := &send{transport: t, request: r, getBody: r.GetBody}
	switch r.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		s.harmless = true
	default:
		s.harmless = r.Header.Get(t.keyHeader) != ""
		if !s.harmless && t.addKeys {
			s.harmless, s.addKey = true, true
		}
	}
	switch {
	case r.Body == nil || r.Body == http.NoBody:
		s.repeatableBody = true
	case s.getBody != nil:
		s.repeatableBody = true
	case r.ContentLength > 0 && r.ContentLength <= t.bodyBuffer:
		if err := s.buffer(); err != nil {
			return nil, err
		}
		s.repeatableBody = true
	}
	return s, nil
}

// buffer reads the body into memory and closes it.
func (s *send) buffer() error {
	body, err := io.ReadAll(io.LimitReader(s.request.Body, s.request.ContentLength+1))
	if closing := s.request.Body.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("otelretryhttp: reading the request's body: %w", err)
	}
	if int64(len(body)) != s.request.ContentLength {
		return fmt.Errorf("otelretryhttp: the request's ContentLength is %d, its body has %s", s.request.ContentLength, counted(len(body), s.request.ContentLength))
	}
	s.getBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	s.request = s.request.WithContext(s.request.Context()) // the caller's request is not ours to change
	s.request.Body, _ = s.getBody()
	s.request.GetBody = s.getBody // for what net/http repeats by itself
	return nil
}

func counted(read int, length int64) string {
	if int64(read) > length {
		return "more bytes"
	}
	return fmt.Sprintf("%d bytes", read)
}

// attempt sends the request once.
func (s *send) attempt(ctx context.Context) (*http.Response, error) {
	s.attempts++ // not AttemptNumber: a bare first attempt has that of whoever called
	number := s.attempts
	discard(s.failed)
	s.failed = nil
	s.countResend(ctx, number)
	how := new(progress)
	r, err := s.prepare(how.follow(ctx), number)
	if err != nil {
		return nil, otelretry.Permanent(err)
	}
	release := otelretry.Hold(ctx)
	resp, err := s.transport.base.RoundTrip(r)
	if err != nil {
		release()
		return nil, s.judged(err, how)
	}
	if resp == nil {
		release()
		return nil, otelretry.Permanent(errNoResponse)
	}
	if resp.Body == nil { // which http.Client lets a RoundTripper do
		resp.Body = http.NoBody
	}
	if resp.StatusCode < http.StatusBadRequest {
		if resp.Body == http.NoBody {
			release()
		} else {
			holdUntilRead(resp, release)
		}
		return resp, nil
	}
	failure := s.statusFailure(resp)
	setAside(resp)
	holdUntilRead(resp, release)
	s.failed = resp
	return resp, failure
}

// countResend marks the span of a repeated attempt. When the policy makes no
// spans for attempts, all of them run under the request's, which is no send.
func (s *send) countResend(ctx context.Context, number int) {
	span := trace.SpanFromContext(ctx)
	if number < 2 {
		s.span = span
		return
	}
	if s.span == nil || s.span.SpanContext().SpanID() != span.SpanContext().SpanID() {
		markResend(span, number)
	}
}

// prepare makes the request of one attempt.
func (s *send) prepare(ctx context.Context, number int) (*http.Request, error) {
	key := ""
	if s.addKey {
		key = otelretry.IdempotencyKey(ctx)
		s.harmless = key != "" // a bare first attempt has no key
	}
	r := s.request.WithContext(ctx)
	if number > 1 && s.getBody != nil && r.Body != nil && r.Body != http.NoBody {
		body, err := s.getBody()
		if err != nil {
			return nil, fmt.Errorf("otelretryhttp: GetBody, to send the request again: %w", err)
		}
		r.Body = body
	}
	if key != "" {
		r.Header = r.Header.Clone()
		if r.Header == nil {
			r.Header = make(http.Header)
		}
		r.Header.Set(s.transport.keyHeader, key)
	}
	return r, nil
}

// statusFailure is the error of an attempt that was answered with a status of
// 400 or above.
func (s *send) statusFailure(resp *http.Response) error {
	failure := &StatusError{Status: resp.StatusCode}
	if !s.repeatableBody {
		return otelretry.Permanent(failure)
	}
	if !s.harmless && resp.StatusCode != http.StatusTooManyRequests {
		return otelretry.Permanent(failure)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if hint, ok := otelretry.ParseRetryAfter(resp.Header.Get("Retry-After"), serverTime(resp)); ok {
			return otelretry.RetryAfter(hint, failure)
		}
	}
	return failure
}

// serverTime is the time that a date in Retry-After is relative to: the
// server's own, so that clocks that differ don't matter.
func serverTime(resp *http.Response) time.Time {
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		return at
	}
	return time.Now()
}
