package otelretry_test

import (
	"go/build"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
)

func TestBadSettingsNameTheOption(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []otelretry.Option
		want    []string
	}{
		{"no attempts", []otelretry.Option{otelretry.WithMaxAttempts(0)}, []string{"WithMaxAttempts: 0 is less than 1"}},
		{"negative attempts", []otelretry.Option{otelretry.WithMaxAttempts(-1)}, []string{"WithMaxAttempts"}},
		{"a bound that is none", []otelretry.Option{otelretry.WithMaxAttempts(math.MaxInt)}, []string{"WithMaxAttempts", "use WithUnboundedAttempts"}},
		{"bounded and unbounded", []otelretry.Option{otelretry.WithUnboundedAttempts(), otelretry.WithMaxAttempts(3)}, []string{"WithMaxAttempts", "contradicts WithUnboundedAttempts"}},
		{"zero deadline", []otelretry.Option{otelretry.WithDeadline(0)}, []string{"WithDeadline", "use WithoutDeadline"}},
		{"deadline and none", []otelretry.Option{otelretry.WithDeadline(1), otelretry.WithoutDeadline()}, []string{"WithoutDeadline: contradicts WithDeadline"}},
		{"zero attempt timeout", []otelretry.Option{otelretry.WithAttemptTimeout(0)}, []string{"WithAttemptTimeout"}},
		{"attempt timeout past the deadline", []otelretry.Option{otelretry.WithAttemptTimeout(time.Minute)}, []string{"WithAttemptTimeout", "deadline"}},
		{"zero backoff", []otelretry.Option{otelretry.WithBackoff(otelretry.Backoff{})}, []string{"WithBackoff", "FullJitter"}},
		{"negative wait", []otelretry.Option{otelretry.WithBackoff(otelretry.Constant(-1))}, []string{"WithBackoff: base wait -1ns", "NoWait"}},
		{"cap below base", []otelretry.Option{otelretry.WithBackoff(otelretry.FullJitter(2, 1))}, []string{"WithBackoff: cap 1ns is below the base 2ns"}},
		{"no jitter", []otelretry.Option{otelretry.WithBackoff(otelretry.ExponentialWithJitter(1, 1, 0))}, []string{"WithBackoff: jitter"}},
		{"zero retry-after", []otelretry.Option{otelretry.WithMaxRetryAfter(0)}, []string{"WithMaxRetryAfter", "WithoutRetryAfter"}},
		{"retry-after and none", []otelretry.Option{otelretry.WithMaxRetryAfter(1), otelretry.WithoutRetryAfter()}, []string{"WithoutRetryAfter: contradicts"}},
		{"no classifiers", []otelretry.Option{otelretry.WithClassifiers()}, []string{"WithClassifiers: no classifier"}},
		{"nil classifier", []otelretry.Option{otelretry.WithClassifiers(otelretry.Classify, nil)}, []string{"WithClassifiers: classifier 2 is nil"}},
		{"nil budget", []otelretry.Option{otelretry.WithBudget(nil)}, []string{"WithBudget"}},
		{"nil breaker", []otelretry.Option{otelretry.WithBreaker(nil)}, []string{"WithBreaker"}},
		{"no hedge delay", []otelretry.Option{otelretry.WithHedging(0, 1)}, []string{"WithHedging: after"}},
		{"no hedges", []otelretry.Option{otelretry.WithHedging(1, 0)}, []string{"WithHedging: max 0"}},
		{"hedging of one attempt", []otelretry.Option{otelretry.WithHedging(1, 1), otelretry.WithMaxAttempts(1)}, []string{"WithHedging: contradicts WithMaxAttempts(1)"}},
		{"nil tracer provider", []otelretry.Option{otelretry.WithTracerProvider(nil)}, []string{"WithTracerProvider"}},
		{"nil meter provider", []otelretry.Option{otelretry.WithMeterProvider(nil)}, []string{"WithMeterProvider"}},
		{"nil logger", []otelretry.Option{otelretry.WithLogger(nil)}, []string{"WithLogger"}},
		{"nil observer", []otelretry.Option{otelretry.WithObserver(nil)}, []string{"WithObserver"}},
		{"nil clock", []otelretry.Option{otelretry.WithClock(nil)}, []string{"WithClock"}},
		{"unknown span mode", []otelretry.Option{otelretry.WithAttemptSpans(9)}, []string{"WithAttemptSpans: 9"}},
		{"unknown span kind", []otelretry.Option{otelretry.WithAttemptSpanKind(99)}, []string{"WithAttemptSpanKind: 99"}},
		{"telemetry and none", []otelretry.Option{otelretry.WithoutTelemetry(), otelretry.WithErrorText()}, []string{"WithoutTelemetry: contradicts WithErrorText"}},
		{"bare with attempt timeout", []otelretry.Option{otelretry.WithBareFirstAttempt(), otelretry.WithoutTelemetry(), otelretry.WithAttemptTimeout(1)}, []string{"WithBareFirstAttempt: contradicts WithAttemptTimeout"}},
		{"bare with hedging", []otelretry.Option{otelretry.WithBareFirstAttempt(), otelretry.WithoutTelemetry(), otelretry.WithHedging(1, 1)}, []string{"WithBareFirstAttempt: contradicts WithHedging"}},
		{"nil option", []otelretry.Option{nil}, []string{"an option is nil"}},
		{"all problems at once", []otelretry.Option{otelretry.WithMaxAttempts(0), otelretry.WithDeadline(-1)}, []string{"WithMaxAttempts", "WithDeadline"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, err := otelretry.New("payments", test.options...)
			require.Error(t, err)
			assert.Nil(t, policy)
			for _, want := range append(test.want, `policy "payments"`) {
				assert.ErrorContains(t, err, want)
			}
		})
	}
	_, err := otelretry.New(" ")
	assert.ErrorContains(t, err, "the dependency needs a name")
}

func TestWorstCase(t *testing.T) {
	must := func(options ...otelretry.Option) *otelretry.Policy {
		policy, err := otelretry.New("d", append(options, otelretry.WithoutTelemetry())...)
		require.NoError(t, err)
		return policy
	}
	doubling := otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second))
	tens := otelretry.WithAttemptTimeout(10 * time.Second)
	assert.Equal(t, 41400*time.Millisecond, must(doubling, tens, otelretry.WithoutDeadline(), otelretry.WithoutRetryAfter()).WorstCase(),
		"4 attempts of 10 s and waits of 0.2, 0.4 and 0.8 s")
	assert.Equal(t, 130*time.Second, must(doubling, tens, otelretry.WithoutDeadline()).WorstCase(), "and three hints of 30 s")
	assert.Equal(t, 30*time.Second, must().WorstCase())
	assert.Equal(t, 30*time.Second, must(doubling, tens).WorstCase())
	assert.Equal(t, otelretry.Unbounded, must(otelretry.WithoutDeadline()).WorstCase())
	assert.Equal(t, otelretry.Unbounded, must(otelretry.WithoutDeadline(), otelretry.WithUnboundedAttempts(), tens).WorstCase())
	assert.Equal(t, otelretry.Unbounded, must(otelretry.WithoutDeadline(), otelretry.WithMaxAttempts(math.MaxInt-1), tens).WorstCase(), "saturates")
}

func TestPolicySaysItself(t *testing.T) {
	budget, err := otelretry.NewShareBudget("payments", 0.1, 10)
	require.NoError(t, err)
	policy, err := otelretry.New("payments", otelretry.WithAttemptTimeout(800*time.Millisecond), otelretry.WithDeadline(3*time.Second),
		otelretry.WithBudget(budget), otelretry.WithBreaker(&shut{}), otelretry.WithHedging(50*time.Millisecond, 1))
	require.NoError(t, err)
	assert.Equal(t, "payments: 4 attempts, deadline 3s, attempt timeout 800ms, full jitter 200ms..10s, Retry-After up to 30s, "+
		"budget payments (10% of requests, reserve 10), breaker, hedging after 50ms, 1 hedge, worst case 3s", policy.String())
	policy, err = otelretry.New("queue", otelretry.WithUnboundedAttempts(), otelretry.WithoutDeadline(), otelretry.WithoutRetryAfter(),
		otelretry.WithBackoff(otelretry.Constant(time.Second)))
	require.NoError(t, err)
	assert.Equal(t, "queue: unbounded attempts, no deadline, constant 1s, Retry-After ignored, worst case unbounded", policy.String())
}

// The core is for everybody: it must not bring more than OpenTelemetry's API.
func TestCoreImportsOnlyTheStandardLibraryAndTheOpenTelemetryAPI(t *testing.T) {
	list := func(arguments ...string) []string {
		output, err := exec.Command("go", append([]string{"list"}, arguments...)...).Output()
		require.NoError(t, err)
		return strings.Fields(string(output))
	}
	allowed := map[string]bool{otelretry.ScopeName: true}
	for _, dependency := range list("-deps", "go.opentelemetry.io/otel", "go.opentelemetry.io/otel/metric/noop",
		"go.opentelemetry.io/otel/trace/noop", "go.opentelemetry.io/otel/semconv/v1.43.0") {
		allowed[dependency] = true
	}
	for _, imported := range list("-deps", ".") {
		assert.True(t, allowed[imported] || isStandard(imported), imported)
		assert.NotContains(t, imported, "otel/sdk")
	}
}

func isStandard(path string) bool {
	p, err := build.Import(path, "", build.FindOnly)
	return err == nil && p.Goroot || strings.HasPrefix(path, "vendor/") || strings.HasPrefix(path, "crypto/internal/")
}
