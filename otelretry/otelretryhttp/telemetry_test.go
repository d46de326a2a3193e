package otelretryhttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// spans sends a GET that succeeds at the third attempt, and gives the spans
// that it made, by name, with their resend counts.
func spans(t *testing.T, mode otelretry.AttemptSpans, base func(*sdktrace.TracerProvider, http.RoundTripper) http.RoundTripper) []string {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	server := httptest.NewServer(&answers{script: []http.HandlerFunc{status(503), status(503), status(200)}})
	t.Cleanup(server.Close)
	policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)),
		otelretry.WithTracerProvider(provider), otelretry.WithAttemptSpans(mode))
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(base(provider, server.Client().Transport), policy)
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: transport}).Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	var got []string
	for _, span := range recorder.Ended() {
		line := span.Name()
		for _, a := range span.Attributes() {
			switch a.Key {
			case "http.request.resend_count", "error.type":
				line += fmt.Sprintf(" %s=%s", a.Key, a.Value.String())
			}
		}
		got = append(got, line)
	}
	return got
}

func TestAttemptSpansCountResends(t *testing.T) {
	t.Parallel()
	got := spans(t, otelretry.AllAttempts, func(_ *sdktrace.TracerProvider, base http.RoundTripper) http.RoundTripper { return base })
	assert.Equal(t, []string{
		"GET attempt error.type=503",
		"GET attempt http.request.resend_count=1 error.type=503",
		"GET attempt http.request.resend_count=2",
		"GET",
	}, got)
}

func TestOtelhttpBelowMakesOneSpanPerSend(t *testing.T) {
	t.Parallel()
	got := spans(t, otelretry.NoAttempts, func(provider *sdktrace.TracerProvider, base http.RoundTripper) http.RoundTripper {
		return otelhttp.NewTransport(otelretryhttp.CountResends(base), otelhttp.WithTracerProvider(provider))
	})
	assert.ElementsMatch(t, []string{
		"HTTP GET error.type=503",
		"HTTP GET error.type=503 http.request.resend_count=1",
		"HTTP GET http.request.resend_count=2",
		"GET",
	}, sorted(got))
}

// sorted gives the attributes of each line in one order.
func sorted(lines []string) []string {
	for i, line := range lines {
		if line == "HTTP GET http.request.resend_count=1 error.type=503" {
			lines[i] = "HTTP GET error.type=503 http.request.resend_count=1"
		}
	}
	return lines
}

func TestOperationsAreNamedAndBounded(t *testing.T) {
	t.Parallel()
	recorder := otelretrytest.NewRecorder(t)
	server := httptest.NewServer(&answers{script: []http.HandlerFunc{status(200)}})
	defer server.Close()
	policy, err := otelretry.New("server", append(recorder.Options(), otelretry.WithClock(otelretrytest.NewClock(1)))...)
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy,
		otelretryhttp.WithOperationName(func(r *http.Request) string { return r.URL.Path }))
	require.NoError(t, err)
	client := &http.Client{Transport: transport}
	for i := range 100 {
		resp, err := client.Get(fmt.Sprintf("%s/%d", server.URL, i))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	names := map[string]bool{}
	for _, r := range recorder.Requests() {
		names[r.Operation] = true
	}
	assert.LessOrEqual(t, len(names), 65)
	assert.Contains(t, names, "_OTHER")
	recorder.AssertConsistent()
}
