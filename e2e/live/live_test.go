package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"github.com/prometheus/otlptranslator"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/retrykit/retrykit/e2e"
	"github.com/retrykit/retrykit/examples/alerting/demo"
	"github.com/retrykit/retrykit/examples/alerting/prom"
	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/rules"
	"github.com/retrykit/retrykit/otelretry"
)

// program finds an outside program; without it the test fails where it is
// required, and is skipped elsewhere.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatalf("%s is missing: make test-deps installs it", name)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// live is a service, and a real Prometheus that scrapes it with the rules
// loaded.
type live struct {
	settings rules.Settings
	service  *demo.Demo
	server   *prom.Server
}

// expected are the alerts that the demo's fault raises, by name and severity.
var expected = []string{
	"FirstAttemptSuccessBurn page", "RetryAttemptsPerRequestHigh page", "RetryAttemptsPerRequestHigh ticket",
	"RetryBudgetRejecting ticket", "RetryDeadlineExhausted ticket", "RetryIneffective ticket", "RetryMaskedFailure ticket",
}

// TestAlertsInARealPrometheus makes the service's dependencies fail and
// recover. The rules' windows and waits are a fiftieth of the usual ones.
func TestAlertsInARealPrometheus(t *testing.T) {
	t.Parallel()
	path := program(t, "prometheus")
	dir := t.TempDir()
	settings := rules.Default()
	settings.Burn = settings.Burn[:1] // the others remember a fault for longer than the test takes
	require.NoError(t, settings.Scale(0.02))
	ruleFilePath := filepath.Join(dir, "rules.yaml")
	require.NoError(t, os.WriteFile(ruleFilePath, ruleFile(t, settings), 0o600))

	meters, metrics, err := demo.Metrics(otlptranslator.UnderscoreEscapingWithSuffixes)
	require.NoError(t, err)
	scraped, stopScraped, err := demo.Serve(t.Context(), metrics)
	require.NoError(t, err)
	server, err := prom.Start(t.Context(), prom.Config{
		Program: path, Dir: dir, Job: "checkout", Targets: []string{scraped}, Rules: []string{ruleFilePath},
	})
	require.NoError(t, err)
	defer func() { assert.NoError(t, server.Stop()) }()
	spans := tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	service, err := demo.Start(t.Context(), meters, 10, 1, otelretry.WithTracerProvider(tracers))
	require.NoError(t, err)
	l := &live{settings, service, server}

	start := time.Now()
	require.NoError(t, e2e.Pass(t.Context(), 15*time.Second))
	faultAt := time.Now()
	assert.Empty(t, l.fired(t, start, faultAt), "alerts fire while all is well")

	service.SetFault(true)
	l.wait(t, 90*time.Second, "these alerts to fire: "+strings.Join(expected, ", "), func() bool {
		return subset(expected, l.firing(t))
	})
	firstPage := l.fired(t, faultAt, time.Now())["RetryAttemptsPerRequestHigh page"]
	// The window has to fill with failures, the condition to hold, and a scrape
	// and two evaluations to pass; the rest is room for a slow machine.
	most := time.Duration(settings.Window) + time.Duration(settings.For.AttemptsPage) + 15*time.Second
	assert.Less(t, firstPage.Sub(faultAt), most, "the page comes within its window")
	l.everyPanelShowsSomething(t)
	l.annotationsAreFilledIn(t)
	l.exemplarsLeadToTraces(t, start, spans)

	service.SetFault(false)
	l.wait(t, 90*time.Second, "all alerts to resolve", func() bool { return len(l.firing(t)) == 0 })

	require.NoError(t, service.Stop())
	l.reportAgrees(t, start)
	l.rulesAreProposed(t)

	// The service goes away, and is missed.
	require.NoError(t, stopScraped())
	l.wait(t, 60*time.Second, "RetryTelemetryAbsent to fire", func() bool {
		return slices.Contains(l.firing(t), "RetryTelemetryAbsent ticket")
	})
	require.NoError(t, errors.Join(meters.Shutdown(t.Context()), tracers.Shutdown(t.Context())))
}

// wait asks once a second whether the condition holds.
func (l *live) wait(t *testing.T, atMost time.Duration, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(atMost); !condition(); {
		require.True(t, time.Now().Before(deadline), "waited %s for %s; now firing: %v", atMost, what, l.firing(t))
		require.NoError(t, e2e.Pass(t.Context(), time.Second))
	}
}

// firing are the alerts that fire now.
func (l *live) firing(t *testing.T) []string {
	t.Helper()
	result, err := l.server.API.Alerts(t.Context())
	require.NoError(t, err)
	names := map[string]bool{}
	for _, alert := range result.Alerts {
		if alert.State == v1.AlertStateFiring {
			names[string(alert.Labels["alertname"]+" "+alert.Labels["severity"])] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// fired are the alerts that fired in a time, and when first.
func (l *live) fired(t *testing.T, from, to time.Time) map[string]time.Time {
	t.Helper()
	result, _, _, err := l.server.API.QueryRange(t.Context(), `ALERTS{alertstate="firing"}`, v1.Range{Start: from, End: to, Step: time.Second})
	require.NoError(t, err)
	out := map[string]time.Time{}
	for _, series := range result.(model.Matrix) {
		name := string(series.Metric["alertname"] + " " + series.Metric["severity"])
		at := series.Values[0].Timestamp.Time()
		if first, ok := out[name]; !ok || at.Before(first) {
			out[name] = at
		}
	}
	return out
}

func (l *live) everyPanelShowsSomething(t *testing.T) {
	t.Helper()
	now := time.Now()
	for panel, queries := range dashboard.Queries(l.settings, "10s") {
		for _, query := range queries {
			result, _, _, err := l.server.API.Query(t.Context(), query, now)
			if assert.NoError(t, err, "%s: %s", panel, query) {
				assert.NotEmpty(t, result.(model.Vector), "%s: %s", panel, query)
			}
		}
	}
}

func (l *live) annotationsAreFilledIn(t *testing.T) {
	t.Helper()
	result, err := l.server.API.Alerts(t.Context())
	require.NoError(t, err)
	for _, alert := range result.Alerts {
		for name, text := range alert.Annotations {
			assert.NotEmpty(t, text)
			for _, bad := range []string{"<no value>", "error", "%!", "{{"} {
				assert.NotContains(t, string(text), bad, "%s of %s", name, alert.Labels["alertname"])
			}
		}
	}
}

// reportAgrees compares what retrystat makes of the server's data with what the
// dependencies have seen. Prometheus extrapolates at the ends of a window, and
// does not see what was counted before its first scrape.
func (l *live) reportAgrees(t *testing.T, start time.Time) {
	t.Helper()
	require.NoError(t, e2e.Pass(t.Context(), 2*time.Second)) // for the last scrape
	var out, errs bytes.Buffer
	window := time.Since(start) + 10*time.Second
	code := cli.Main(t.Context(), []string{
		"report", "--prometheus", l.server.URL, "--window", fmt.Sprint(window.Round(time.Second)), "--format", "json",
	}, cli.Env{Stdout: &out, Stderr: &errs})
	require.Equal(t, 0, code, errs.String())
	var report struct {
		Operations []struct {
			Dependency          string
			Requests, Attempts  float64
			FirstAttemptSuccess float64 `json:"first_attempt_success"`
			EventualSuccess     float64 `json:"eventual_success"`
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	require.Len(t, report.Operations, 4)
	for _, route := range l.service.Stats() {
		for _, got := range report.Operations {
			if got.Dependency != e2e.DependencyOf(route.Route) {
				continue
			}
			requests := float64(route.Requests)
			assert.InEpsilon(t, requests, got.Requests, 0.04, "requests to %s", got.Dependency)
			assert.InEpsilon(t, float64(route.Attempts), got.Attempts, 0.04, "attempts at %s", got.Dependency)
			assert.InDelta(t, float64(route.FirstAttemptSuccesses)/requests, got.FirstAttemptSuccess, 0.03, "first-attempt success of %s", got.Dependency)
			assert.InDelta(t, float64(route.Successes)/requests, got.EventualSuccess, 0.03, "eventual success of %s", got.Dependency)
		}
	}
}

// rulesAreProposed asks the server for its names and for thresholds.
func (l *live) rulesAreProposed(t *testing.T) {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Main(t.Context(), []string{"rules", "--prometheus", l.server.URL, "--lookback", "5m"}, cli.Env{Stdout: &out, Stderr: &errs})
	require.Equal(t, 0, code, errs.String())
	assert.Contains(t, out.String(), "Names as "+l.server.URL+" has them: UnderscoreEscapingWithSuffixes.")
	assert.Contains(t, out.String(), "- payments/charge: ")
}

func subset(of, in []string) bool {
	for _, s := range of {
		if !slices.Contains(in, s) {
			return false
		}
	}
	return true
}

func ruleFile(t *testing.T, s rules.Settings) []byte {
	t.Helper()
	text, err := e2e.RuleFile(s)
	require.NoError(t, err)
	return text
}
