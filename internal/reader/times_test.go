package reader_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// Times that no clock had are said to be unreadable, and make no durations.
func TestTimesOutOfRange(t *testing.T) {
	span := func(start, end string) string {
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","name":"charge",` +
			`"startTimeUnixNano":"` + start + `","endTimeUnixNano":"` + end + `","attributes":[{"key":"retry.attempts","value":{"intValue":"1"}}]}]}]}]}` + "\n"
	}
	stdoutSpan := func(start, end string) string {
		return `{"Name":"charge","SpanContext":{"TraceID":"00000000000000000000000000000001","SpanID":"0000000000000002"},"StartTime":"` + start +
			`","EndTime":"` + end + `","Attributes":[{"Key":"retry.attempts","Value":{"Type":"INT64","Value":1}}]}` + "\n"
	}
	stdoutPoint := func(at string) string {
		return `{"Resource":[],"ScopeMetrics":[{"Scope":{"Name":"x"},"Metrics":[{"Name":"otelretry.requests","Data":{"DataPoints":[{"Attributes":[],"Time":"` + at +
			`","Value":5}],"Temporality":"CumulativeTemporality","IsMonotonic":true}}]}]}` + "\n"
	}
	for name, tt := range map[string]struct{ data, want string }{
		"span before 1970":        {span("-1", "9223372036854775807"), telemetry.ReasonTimes},
		"span that ends first":    {span("2", "1"), telemetry.ReasonTimes},
		"span past 2262":          {span("1", "9223372036854775808"), telemetry.ReasonTimes},
		"stdout, span past 2262":  {stdoutSpan("2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z"), telemetry.ReasonTimes},
		"stdout, point past 2262": {stdoutPoint("9999-12-31T23:59:59Z"), telemetry.ReasonNumber},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := summarise(t, writeFile(t, "telemetry", []byte(tt.data)))
			require.NoError(t, err)
			require.Len(t, s.Input.Skipped, 1)
			assert.Equal(t, tt.want, s.Input.Skipped[0].Reason)
			assert.Empty(t, s.Operations)
		})
	}
}
