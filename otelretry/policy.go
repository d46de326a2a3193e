package otelretry

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Defaults of a policy.
const (
	DefaultMaxAttempts   = 4
	DefaultDeadline      = 30 * time.Second
	DefaultBackoffBase   = 200 * time.Millisecond
	DefaultBackoffCap    = 10 * time.Second
	DefaultMaxRetryAfter = 30 * time.Second
)

// Unbounded is what [Policy.WorstCase] gives for a policy without a limit.
const Unbounded = time.Duration(math.MaxInt64)

// Policy says how requests to one dependency are retried. Make one per
// dependency with [New], at start-up, and share it: it never changes and is
// safe for concurrent use.
type Policy struct {
	dependency string

	maxAttempts    int // math.MaxInt without a bound
	deadline       time.Duration
	attemptTimeout time.Duration
	backoff        Backoff
	maxRetryAfter  time.Duration
	useRetryAfter  bool
	classifiers    []Classifier
	budget         *Budget
	breaker        Breaker
	hedgeAfter     time.Duration
	hedgeMax       int
	history        bool
	bare           bool

	timers      *sync.Pool // of *time.Timer, stopped or fired
	clock       Clock
	clockOrigin time.Time

	observer     func(Event)
	logger       *slog.Logger
	logs         bool
	told         bool // spans, metrics or an observer
	errorText    bool
	tracer       trace.Tracer
	meter        *meter
	attemptSpans AttemptSpans
	attemptKind  trace.SpanKind
	retriedUnset bool
}

// New makes the policy for one dependency. The name goes into telemetry and
// errors: keep it static and short, such as "payments".
//
// Without options a request makes at most 4 attempts within 30 s, waits with
// full jitter (200 ms, at most 10 s) between them, and retries what
// [Classify] allows. Every setting is checked here: an error names each
// option that is wrong and the way out.
func New(dependency string, options ...Option) (*Policy, error) {
	settings := defaultSettings()
	if strings.TrimSpace(dependency) == "" {
		settings.fail("New", "the dependency needs a name, such as \"payments\"")
	}
	for _, option := range options {
		if option == nil {
			settings.fail("New", "an option is nil")
			continue
		}
		option(settings)
	}
	settings.checkTogether()
	if len(settings.problems) > 0 {
		return nil, fmt.Errorf("otelretry: policy %q: %s", dependency, strings.Join(settings.problems, "; "))
	}
	return settings.policy(dependency), nil
}

// Dependency gives the name that the policy was made with.
func (p *Policy) Dependency() string { return p.dependency }

// WorstCase gives the longest time that a request can take, as long as the
// function returns when its context ends: attempts * attempt timeout + the
// longest waits, a server's hints included, and never more than the deadline.
// It is [Unbounded] when nothing bounds it. Write it next to the policy and
// compare it with the patience of whoever waits for the answer.
func (p *Policy) WorstCase() time.Duration {
	total := Unbounded
	if p.attemptTimeout > 0 && p.maxAttempts != math.MaxInt {
		total = addSaturating(mulSaturating(p.attemptTimeout, int64(p.maxAttempts)), p.longestWaits())
	}
	if p.deadline > 0 {
		total = min(total, p.deadline)
	}
	return total
}

func (p *Policy) longestWaits() time.Duration {
	var sum, previous time.Duration
	for retry := 1; retry < p.maxAttempts; retry++ {
		wait := p.backoff.longest(retry, previous)
		steady := wait == previous
		previous = wait
		if p.useRetryAfter {
			wait = max(wait, addSaturating(p.maxRetryAfter, p.backoff.spread(p.maxRetryAfter, nil)))
		}
		sum = addSaturating(sum, wait)
		if steady || sum == math.MaxInt64 { // the rest of the waits are alike
			return addSaturating(sum, mulSaturating(wait, int64(p.maxAttempts-1-retry)))
		}
	}
	return sum
}

// String says the policy in one line.
func (p *Policy) String() string {
	parts := []string{p.dependency + ": " + count(p.maxAttempts, "attempt")}
	if p.deadline > 0 {
		parts = append(parts, "deadline "+p.deadline.String())
	} else {
		parts = append(parts, "no deadline")
	}
	if p.attemptTimeout > 0 {
		parts = append(parts, "attempt timeout "+p.attemptTimeout.String())
	}
	parts = append(parts, p.backoff.String())
	if p.useRetryAfter {
		parts = append(parts, "Retry-After up to "+p.maxRetryAfter.String())
	} else {
		parts = append(parts, "Retry-After ignored")
	}
	if p.budget != nil {
		parts = append(parts, "budget "+p.budget.String())
	}
	if p.breaker != nil {
		parts = append(parts, "breaker")
	}
	if p.hedgeMax > 0 {
		parts = append(parts, fmt.Sprintf("hedging after %s, %s", p.hedgeAfter, count(p.hedgeMax, "hedge")))
	}
	if worst := p.WorstCase(); worst < Unbounded {
		parts = append(parts, "worst case "+worst.String())
	} else {
		parts = append(parts, "worst case unbounded")
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	switch n {
	case 1:
		return "1 " + noun
	case math.MaxInt:
		return "unbounded " + noun + "s"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
