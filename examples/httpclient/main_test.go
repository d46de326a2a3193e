package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/examples/internal/memhttp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const book = `{"order":"o1","amount_cents":1999,"currency":"EUR"}`

func TestSend(t *testing.T) {
	for _, tc := range []struct {
		name, path, data string
		want             string // the first line
		attempts         int
		atLeast          time.Duration
	}{
		{name: "recovers", path: "/recovers/1", want: "200 OK", attempts: 5},
		{name: "missing", path: "/missing/1", want: "404 Not Found", attempts: 1},
		{name: "throttled", path: "/throttled/1", want: "200 OK", attempts: 2, atLeast: 3 * time.Second},
		{name: "the last answer is kept", path: "/down/1", want: "503 Service Unavailable", attempts: 5},
		{name: "a charge", path: "/charges", data: book, want: "201 Created", attempts: 1},
		{name: "a charge whose answer is lost", path: "/lossy", data: book, want: "201 Created", attempts: 2, atLeast: 800 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				flaky, _, err := flakyserver.NewStandard(1, 3*time.Second, 0)
				require.NoError(t, err)
				lossy := flakyserver.NewLedger(0)
				flaky.RouteCharges("POST /lossy", lossy, flakyserver.First(1, flakyserver.Hangs()))
				t.Cleanup(flaky.Close)
				client, err := newClient(memhttp.Serve(t, flaky).Transport)
				require.NoError(t, err)

				start := time.Now()
				var printed bytes.Buffer
				require.NoError(t, send(t.Context(), client, memhttp.URL+tc.path, tc.data, &printed))
				first, _, _ := bytes.Cut(printed.Bytes(), []byte("\n"))
				assert.Equal(t, tc.want, string(first))
				assert.Equal(t, tc.attempts, flaky.Stats()[0].Attempts)
				assert.GreaterOrEqual(t, time.Since(start), tc.atLeast)
				if tc.path == "/lossy" {
					assert.Len(t, lossy.Receipts(), 1, "charged once")
				}
			})
		})
	}
}
