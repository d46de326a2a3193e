package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestOneChargeAt1460Milliseconds(t *testing.T) {
	recorder := otelretrytest.NewRecorder(t)
	var out bytes.Buffer
	server, err := run(t.Context(), &out, recorder.Options()...)
	require.NoError(t, err)
	assert.Equal(t, `payments: 3 attempts, deadline 3s, attempt timeout 800ms, full jitter 200ms..3s, Retry-After up to 30s, worst case 3s
   0 ms  attempt 1 starts
 120 ms  attempt 1 fails: 503 Service Unavailable
 120 ms  waits 140ms
 260 ms  attempt 2 starts
1060 ms  attempt 2 times out
1060 ms  waits 310ms
1370 ms  attempt 3 starts
1460 ms  201 Created: 3 attempts, 1 key, 1 charge
`, out.String())
	assert.Equal(t, 1, server.charges)
	assert.Len(t, server.stored, 1)

	attempts := recorder.Requests()[0].Attempts
	require.Len(t, attempts, 3)
	assert.Equal(t, []string{"503", "attempt_timeout", ""}, []string{attempts[0].ErrorType(), attempts[1].ErrorType(), attempts[2].ErrorType()})
	assert.InDelta(t, 0.45, recorder.Requests()[0].Attributes["retry.backoff.total"].AsFloat64(), 1e-9)
	assert.EqualValues(t, 1, recorder.Count("otelretry.idempotency.replays"))
	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.RetriedSuccess: 1})
	recorder.AssertConsistent()
}
