package main

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/examples/internal/memhttp"
	"github.com/retrykit/retrykit/otelretry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inBubble serves the flaky server on a clock that passes the waits at once.
func inBubble(t *testing.T, f func(t *testing.T, base http.RoundTripper)) {
	synctest.Test(t, func(t *testing.T) {
		server, err := newServer()
		require.NoError(t, err)
		f(t, memhttp.Serve(t, server).Transport)
	})
}

func TestTheFourBehaviours(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for i, want := range []struct {
		waits  []time.Duration
		reason otelretry.Outcome
		status int
		body   string
		took   time.Duration
	}{
		{[]time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms}, otelretry.RetriedSuccess, 200, "200 ok\n", 3 * s},
		{nil, otelretry.NotRetryable, 404, "404 not found\n", 0},
		{[]time.Duration{3 * s}, otelretry.RetriedSuccess, 200, "200 ok\n", 3 * s},
		{[]time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms}, otelretry.AttemptsExhausted, 503, "503 service unavailable\n", 3 * s},
		{[]time.Duration{7 * s, 7 * s}, otelretry.AttemptsExhausted, 503, "503 service unavailable\n", 14 * s},
	} {
		request := requests()[i]
		t.Run(request.title, func(t *testing.T) {
			inBubble(t, func(t *testing.T, base http.RoundTripper) {
				got, err := request.send(t.Context(), base, memhttp.URL)
				require.NoError(t, err)
				assert.Equal(t, want.waits, got.retries, "the schedule, exactly")
				assert.Equal(t, want.reason, got.reason)
				assert.Equal(t, want.status, got.status)
				assert.Equal(t, want.body, got.body)
				assert.Equal(t, want.took, got.took)
			})
		})
	}
}

func TestWhatIsPrinted(t *testing.T) {
	inBubble(t, func(t *testing.T, base http.RoundTripper) {
		var out bytes.Buffer
		require.NoError(t, show(t.Context(), &out, base, memhttp.URL))
		assert.Equal(t, `recovers after four 503
  5 attempts, waits [200ms 400ms 800ms 1.6s]: retried_success after 3s, caller gets 200 "200 ok\n"
is not there
  1 attempt: not_retryable after 0s, caller gets 404 "404 not found\n"
is throttled: 429 with Retry-After: 3
  2 attempts, waits [3s]: retried_success after 3s, caller gets 200 "200 ok\n"
stays down
  5 attempts, waits [200ms 400ms 800ms 1.6s]: attempts_exhausted after 3s, caller gets 503 "503 service unavailable\n"
asks for 7 s, 3 attempts, waits injected
  3 attempts, waits [7s 7s]: attempts_exhausted after 14s, caller gets 503 "503 service unavailable\n"
`, out.String())
	})
}

func TestItEndsWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T, base http.RoundTripper) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		time.AfterFunc(time.Second, cancel)
		require.ErrorIs(t, show(ctx, &bytes.Buffer{}, base, memhttp.URL), context.Canceled)
		assert.Equal(t, time.Second, time.Since(start))
	})
}
