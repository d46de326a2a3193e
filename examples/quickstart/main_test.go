package main

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/examples/internal/memhttp"
	"github.com/retrykit/retrykit/otelretry"
)

func TestFetchMeetsTheFourBehaviours(t *testing.T) {
	for _, tc := range []struct {
		path             string
		reason           error // nil when it succeeds
		last             error
		atLeast, atMost  time.Duration
		attemptsAtServer int
	}{
		{path: "/recovers/1", atMost: (200 + 400 + 800 + 1600) * time.Millisecond, attemptsAtServer: 5},
		{path: "/missing/1", reason: otelretry.ErrNotRetryable, last: statusError{404, 0}, attemptsAtServer: 1},
		{path: "/throttled/1", atLeast: 3 * time.Second, atMost: 4 * time.Second, attemptsAtServer: 2},
		{path: "/down/1", reason: otelretry.ErrExhausted, last: statusError{503, 0}, atMost: 3 * time.Second, attemptsAtServer: 5},
	} {
		t.Run(tc.path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				flaky, _, err := flakyserver.NewStandard(1, 3*time.Second, 0)
				require.NoError(t, err)
				client := memhttp.Serve(t, flaky)
				policy, err := otelretry.New("catalog", otelretry.WithMaxAttempts(5),
					otelretry.WithDeadline(5*time.Second), otelretry.WithLogger(slog.New(slog.DiscardHandler)))
				require.NoError(t, err)

				start := time.Now()
				body, err := fetch(t.Context(), policy.Operation("get", otelretry.Idempotent()), client, memhttp.URL+tc.path)
				took := time.Since(start)
				if tc.reason == nil {
					require.NoError(t, err)
					assert.Equal(t, "200 ok\n", string(body))
				} else {
					require.ErrorIs(t, err, tc.reason)
					require.ErrorIs(t, err, tc.last)
				}
				assert.GreaterOrEqual(t, took, tc.atLeast)
				assert.LessOrEqual(t, took, tc.atMost)
				assert.Equal(t, tc.attemptsAtServer, flaky.Stats()[0].Attempts)
			})
		})
	}
}
