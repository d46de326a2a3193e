package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunSaysWhatIsMissing(t *testing.T) {
	for want, args := range map[string][]string{
		"retrystat rules: ":       {"-retrystat", "/nonexistent/retrystat"},
		`unexpected argument "x"`: {"x"},
		"parse error":             {"-calm", "soon"},
		"orders a second must be": {"-retrystat", "/bin/true", "-rate", "0"},
		"no Prometheus server":    {"-retrystat", "/bin/true", "-prometheus", "/nonexistent/prometheus"},
	} {
		var out bytes.Buffer
		assert.ErrorContains(t, run(t.Context(), args, &out), want)
	}
}

// scripted answers with one state of the alerts after the other.
type scripted struct {
	v1.API
	states [][]v1.Alert
}

func (s *scripted) Alerts(context.Context) (v1.AlertsResult, error) {
	now := s.states[0]
	s.states = s.states[1:]
	return v1.AlertsResult{Alerts: now}, nil
}

func TestWatchPrintsWhatChanges(t *testing.T) {
	alert := func(state v1.AlertState) []v1.Alert {
		return []v1.Alert{{
			State:       state,
			Labels:      model.LabelSet{"alertname": "RetryIneffective", "severity": "ticket", "retry_dependency": "payments", "retry_operation": "charge"},
			Annotations: model.LabelSet{"summary": "Only 1 % succeed"},
		}}
	}
	var out bytes.Buffer
	w := &watch{
		server: &scripted{states: [][]v1.Alert{nil, alert(v1.AlertStatePending), alert(v1.AlertStateFiring), alert(v1.AlertStateFiring), nil}},
		out:    &out, start: time.Now(), pending: true,
	}
	for range 4 {
		require.NoError(t, w.look(t.Context()))
	}
	assert.False(t, w.quiet())
	assert.Equal(t, 1, w.fired)
	require.NoError(t, w.look(t.Context()))
	assert.True(t, w.quiet())
	assert.Regexp(t, `^ +0s  pending  RetryIneffective +ticket  Only 1 % succeed
 +0s  FIRING   RetryIneffective +ticket  Only 1 % succeed
 +0s  resolved RetryIneffective +ticket  payments charge
$`, out.String())
}
