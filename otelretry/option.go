package otelretry

import (
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Option is a setting of a [Policy]; see [New].
type Option func(*settings)

// settings collects the options of a policy and what is wrong with them.
type settings struct {
	Policy
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider
	noTelemetry    bool
	telemetrySet   string // the last option that asked for telemetry
	problems       []string
	given          map[string]bool
}

func defaultSettings() *settings {
	return &settings{
		Policy: Policy{
			maxAttempts:   DefaultMaxAttempts,
			deadline:      DefaultDeadline,
			backoff:       FullJitter(DefaultBackoffBase, DefaultBackoffCap),
			maxRetryAfter: DefaultMaxRetryAfter,
			useRetryAfter: true,
			attemptKind:   trace.SpanKindInternal,
			logs:          true,
		},
		given: map[string]bool{},
	}
}

func (s *settings) fail(option, format string, args ...any) {
	s.problems = append(s.problems, option+": "+fmt.Sprintf(format, args...))
}

// exclusive records that an option was given and refuses it beside another.
func (s *settings) exclusive(option, other string) {
	s.given[option] = true
	if s.given[other] {
		s.fail(option, "contradicts %s; keep one of them", other)
	}
}

// WithMaxAttempts bounds the attempts of a request, the first included: 4 is
// one call and at most three retries. It must be at least 1; math.MaxInt is an
// error too, since it bounds nothing ([WithUnboundedAttempts] says so). Default 4.
func WithMaxAttempts(n int) Option {
	return func(s *settings) {
		s.exclusive("WithMaxAttempts", "WithUnboundedAttempts")
		switch {
		case n < 1:
			s.fail("WithMaxAttempts", "%d is less than 1; 1 means no retry", n)
		case n == math.MaxInt:
			s.fail("WithMaxAttempts", "%d bounds nothing; use WithUnboundedAttempts", n)
		}
		s.maxAttempts = n
	}
}

// WithUnboundedAttempts lets a request try until its deadline, its budget or
// its context ends it.
func WithUnboundedAttempts() Option {
	return func(s *settings) {
		s.exclusive("WithUnboundedAttempts", "WithMaxAttempts")
		s.maxAttempts = math.MaxInt
	}
}

// WithDeadline bounds the whole request, waits included. The attempts'
// contexts end with it, and a wait that would end after it isn't begun.
// Default 30 s.
func WithDeadline(d time.Duration) Option {
	return func(s *settings) {
		s.exclusive("WithDeadline", "WithoutDeadline")
		if d <= 0 {
			s.fail("WithDeadline", "%s must be positive; use WithoutDeadline for none", d)
		}
		s.deadline = d
	}
}

// WithoutDeadline leaves bounding the time of a request to the caller's
// context.
func WithoutDeadline() Option {
	return func(s *settings) {
		s.exclusive("WithoutDeadline", "WithDeadline")
		s.deadline = 0
	}
}

// WithAttemptTimeout bounds one attempt: its context ends then, with the
// cause [ErrAttemptTimeout]. Such a failure is ambiguous ([ClassAmbiguous]).
// Start a little above the dependency's healthy 99th percentile. Default:
// what is left of the deadline.
func WithAttemptTimeout(d time.Duration) Option {
	return func(s *settings) {
		if d <= 0 {
			s.fail("WithAttemptTimeout", "%s must be positive; leave the option out for none", d)
		}
		s.attemptTimeout = d
	}
}

// WithBackoff sets how long to wait before each retry. Default
// FullJitter(200 ms, 10 s).
func WithBackoff(b Backoff) Option {
	return func(s *settings) {
		if problem := b.check(); problem != "" {
			s.fail("WithBackoff", "%s", problem)
		}
		s.backoff = b
	}
}

// WithMaxRetryAfter bounds the wait that a server can ask for: a longer one
// ends the request with [ErrPushback]. Default 30 s.
func WithMaxRetryAfter(d time.Duration) Option {
	return func(s *settings) {
		s.exclusive("WithMaxRetryAfter", "WithoutRetryAfter")
		if d <= 0 {
			s.fail("WithMaxRetryAfter", "%s must be positive; use WithoutRetryAfter to ignore hints", d)
		}
		s.maxRetryAfter = d
	}
}

// WithoutRetryAfter ignores what servers ask for and waits by the backoff
// alone.
func WithoutRetryAfter() Option {
	return func(s *settings) {
		s.exclusive("WithoutRetryAfter", "WithMaxRetryAfter")
		s.useRetryAfter = false
	}
}

// WithClassifiers replaces the allowlist. The classifiers are asked in this
// order and the first that knows an error decides; what none knows isn't
// retried. End with [Classify] to add to the default. Marks ([Permanent],
// [Retryable], [RetryAfter]) come before all of them.
func WithClassifiers(classifiers ...Classifier) Option {
	return func(s *settings) {
		if len(classifiers) == 0 {
			s.fail("WithClassifiers", "no classifier given; leave the option out for the default")
		}
		for i, c := range classifiers {
			if c == nil {
				s.fail("WithClassifiers", "classifier %d is nil", i+1)
			}
		}
		s.classifiers = append([]Classifier(nil), classifiers...)
	}
}

// WithBudget bounds the policy's retries by a budget, which policies for the
// same dependency share.
func WithBudget(b *Budget) Option {
	return func(s *settings) {
		if b == nil {
			s.fail("WithBudget", "the budget is nil; leave the option out for none")
		}
		s.budget = b
	}
}

// WithBreaker asks a circuit breaker before every attempt.
func WithBreaker(b Breaker) Option {
	return func(s *settings) {
		if b == nil {
			s.fail("WithBreaker", "the breaker is nil; leave the option out for none")
		}
		s.breaker = b
	}
}

// WithHedging lets [DoHedged] start another attempt when no answer has come
// after the given time, at most max times per request, and take the first
// answer. Hedges count as attempts and are paid from the budget. after should
// be near the dependency's 95th percentile (Dean and Barroso, "The Tail at
// Scale", Communications of the ACM 56(2), 2013).
func WithHedging(after time.Duration, max int) Option {
	return func(s *settings) {
		if after <= 0 {
			s.fail("WithHedging", "after %s must be positive", after)
		}
		if max < 1 {
			s.fail("WithHedging", "max %d is less than 1; leave the option out for no hedging", max)
		}
		s.hedgeAfter, s.hedgeMax = after, max
	}
}

// WithHistory keeps the errors of all attempts: the Err of an [Error] joins
// them, first to last. With WithUnboundedAttempts they are as many as the
// attempts. Default: only the last error is kept.
func WithHistory() Option {
	return func(s *settings) { s.history = true }
}

// WithTracerProvider sets where spans come from. Default: the global one.
func WithTracerProvider(tp trace.TracerProvider) Option {
	return func(s *settings) {
		if tp == nil {
			s.fail("WithTracerProvider", "the provider is nil; leave the option out for the global one")
		}
		s.tracerProvider, s.telemetrySet = tp, "WithTracerProvider"
	}
}

// WithMeterProvider sets where metrics go. Default: the global one.
func WithMeterProvider(mp metric.MeterProvider) Option {
	return func(s *settings) {
		if mp == nil {
			s.fail("WithMeterProvider", "the provider is nil; leave the option out for the global one")
		}
		s.meterProvider, s.telemetrySet = mp, "WithMeterProvider"
	}
}

// WithLogger sets where the policy logs: one WARN when it gives up on a
// request, unless that can't be retried or was cancelled, and one DEBUG per
// retry. Default: slog.Default() at that time.
func WithLogger(l *slog.Logger) Option {
	return func(s *settings) {
		if l == nil {
			s.fail("WithLogger", "the logger is nil; use slog.New(slog.DiscardHandler) for none")
		}
		s.logger, s.telemetrySet = l, "WithLogger"
	}
}

// WithErrorText adds the text of errors to logs and to the status of spans.
// By default only their type is told, since texts can hold secrets and
// personal data.
func WithErrorText() Option {
	return func(s *settings) { s.errorText, s.telemetrySet = true, "WithErrorText" }
}

// AttemptSpans says which attempts get a span of their own.
type AttemptSpans uint8

const (
	// AllAttempts: every attempt. The default.
	AllAttempts AttemptSpans = iota
	// RetriesOnly: every attempt but the first.
	RetriesOnly
	// NoAttempts: none, for when the transport below makes one per send.
	NoAttempts
)

// WithAttemptSpans sets which attempts get a span. Default AllAttempts.
func WithAttemptSpans(mode AttemptSpans) Option {
	return func(s *settings) {
		if mode > NoAttempts {
			s.fail("WithAttemptSpans", "%d is not a mode; use AllAttempts, RetriesOnly or NoAttempts", mode)
		}
		s.attemptSpans, s.telemetrySet = mode, "WithAttemptSpans"
	}
}

// WithAttemptSpanKind sets the kind of attempt spans: Client, when nothing
// below makes a span for the call. Default Internal.
func WithAttemptSpanKind(kind trace.SpanKind) Option {
	return func(s *settings) {
		if trace.ValidateSpanKind(kind) != kind {
			s.fail("WithAttemptSpanKind", "%d is not a span kind", kind)
		}
		s.attemptKind, s.telemetrySet = kind, "WithAttemptSpanKind"
	}
}

// WithRetriedAttemptsUnset leaves the status of an attempt span Unset when
// the attempt failed and was retried, for tail samplers that keep every trace
// with an error in it. error.type is set all the same.
func WithRetriedAttemptsUnset() Option {
	return func(s *settings) { s.retriedUnset, s.telemetrySet = true, "WithRetriedAttemptsUnset" }
}

// WithoutTelemetry makes no spans, no metrics and no logs. An observer is
// still told.
func WithoutTelemetry() Option {
	return func(s *settings) { s.noTelemetry = true }
}

// WithBareFirstAttempt gives the first attempt no context of its own and
// hands its permanent errors back as they are, so that a request that ends
// with its first attempt allocates nothing when there is nobody to tell of it:
// with WithoutTelemetry, or with no-op providers, and without an observer or a
// breaker. Whoever is told, during the first attempt AttemptNumber is that of
// the caller's context, IdempotencyKey is the caller's own or "", and the
// deadline doesn't end the context. It contradicts WithAttemptTimeout and
// WithHedging.
func WithBareFirstAttempt() Option {
	return func(s *settings) { s.bare = true }
}

// WithObserver calls f for what happens to every request, from the goroutine
// it happens in: f must be quick and safe for concurrent use.
func WithObserver(f func(Event)) Option {
	return func(s *settings) {
		if f == nil {
			s.fail("WithObserver", "the function is nil; leave the option out for none")
		}
		s.observer = f
	}
}

// WithClock takes time, waits and randomness from c, for tests; see package
// otelretrytest. Default: the system's.
func WithClock(c Clock) Option {
	return func(s *settings) {
		if c == nil {
			s.fail("WithClock", "the clock is nil; leave the option out for the system's")
		}
		s.clock = c
	}
}

// checkTogether finds settings that contradict each other.
func (s *settings) checkTogether() {
	if s.deadline > 0 && s.attemptTimeout > s.deadline {
		s.fail("WithAttemptTimeout", "%s is longer than the deadline %s, so that it never applies", s.attemptTimeout, s.deadline)
	}
	if s.hedgeMax > 0 && s.maxAttempts == 1 {
		s.fail("WithHedging", "contradicts WithMaxAttempts(1): a hedge is an attempt")
	}
	if s.noTelemetry && s.telemetrySet != "" {
		s.fail("WithoutTelemetry", "contradicts %s; keep one of them", s.telemetrySet)
	}
	if s.bare {
		if s.attemptTimeout > 0 {
			s.fail("WithBareFirstAttempt", "contradicts WithAttemptTimeout, which needs a context per attempt")
		}
		if s.hedgeMax > 0 {
			s.fail("WithBareFirstAttempt", "contradicts WithHedging, which needs a context per attempt")
		}
	}
}

// policy makes the policy of settings that are right.
func (s *settings) policy(dependency string) *Policy {
	p := s.Policy
	p.dependency = dependency
	p.timers = &sync.Pool{}
	if p.clock != nil {
		p.clockOrigin = p.clock.Now()
	}
	p.told = p.observer != nil
	if s.noTelemetry {
		p.logs = false
		return &p
	}
	if s.tracerProvider == nil {
		s.tracerProvider = otel.GetTracerProvider()
	}
	if s.meterProvider == nil {
		s.meterProvider = otel.GetMeterProvider()
	}
	p.tracer = newTracer(s.tracerProvider)
	p.meter = newMeter(s.meterProvider)
	p.told = p.told || p.tracer != nil || p.meter != nil
	if p.meter != nil && p.budget != nil {
		p.meter.watch(p.budget, dependency)
	}
	return &p
}
