package reader_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// TestContradictingHistogramsAreLeftOut: a count that is not that of the buckets
// would be shown as a number of requests, and bounds out of order as quantiles
// that fall.
func TestContradictingHistogramsAreLeftOut(t *testing.T) {
	otlp := func(kind, buckets string) []byte {
		return fmt.Appendf(nil, `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.request.duration","unit":"s",%q:{"aggregationTemporality":2,`+
			`"dataPoints":[{"startTimeUnixNano":"1","timeUnixNano":"2","sum":4.2,%s}]}}]}]}]}`+"\n", kind, buckets)
	}
	stdout := func(rest string) []byte {
		return fmt.Appendf(nil, `{"Resource":[],"ScopeMetrics":[{"Scope":{"Name":"x"},"Metrics":[{"Name":"otelretry.request.duration","Unit":"s","Data":{"DataPoints":[`+
			`{"Attributes":[],"StartTime":"2026-01-01T00:00:00Z","Time":"2026-01-01T00:00:10Z",%s,"Sum":4.2}],"Temporality":"CumulativeTemporality"}}]}]}`+"\n", rest)
	}
	text := func(count string) []byte {
		return fmt.Appendf(nil, "otelretry_request_duration_seconds_sum 4\notelretry_request_duration_seconds_count %s\n", count)
	}
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"OTLP JSON, count":              {otlp("histogram", `"count":"5","explicitBounds":[1,2],"bucketCounts":["0","4","0"]`), telemetry.ReasonBuckets},
		"OTLP JSON, bounds":             {otlp("histogram", `"count":"4","explicitBounds":[2,1],"bucketCounts":["0","4","0"]`), telemetry.ReasonBuckets},
		"OTLP JSON, no bound":           {otlp("histogram", `"count":"4","explicitBounds":[1,"NaN"],"bucketCounts":["0","4","0"]`), telemetry.ReasonBuckets},
		"OTLP JSON, exponential":        {otlp("exponentialHistogram", `"count":"5","scale":0,"positive":{"bucketCounts":["4"]}`), telemetry.ReasonBuckets},
		"OTLP JSON, scale past 32 bit":  {otlp("exponentialHistogram", `"count":"4","scale":4294967296,"positive":{"bucketCounts":["4"]}`), telemetry.ReasonNumber},
		"OTLP JSON, offset past 32 bit": {otlp("exponentialHistogram", `"count":"4","positive":{"offset":4294967296,"bucketCounts":["4"]}`), telemetry.ReasonNumber},
		"stdout, count":                 {stdout(`"Count":5,"Bounds":[1,2],"BucketCounts":[0,4,0]`), telemetry.ReasonBuckets},
		"stdout, bounds":                {stdout(`"Count":4,"Bounds":[2,1],"BucketCounts":[0,4,0]`), telemetry.ReasonBuckets},
		"stdout, scale past 32 bit":     {stdout(`"Count":4,"Scale":4294967296,"PositiveBucket":{"Offset":0,"Counts":[4]}`), telemetry.ReasonNumber},
		"stdout, offset past 32 bit":    {stdout(`"Count":4,"Scale":0,"PositiveBucket":{"Offset":4294967296,"Counts":[4]}`), telemetry.ReasonNumber},
		"text, endless count":           {text("+Inf"), telemetry.ReasonNumber},
		"text, negative count":          {text("-3"), telemetry.ReasonNumber},
		"text, count past 64 bit":       {text("1e30"), telemetry.ReasonNumber},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := summarise(t, writeFile(t, "telemetry", tt.data))
			require.NoError(t, err)
			require.Len(t, s.Input.Skipped, 1)
			assert.Equal(t, tt.want, s.Input.Skipped[0].Reason)
			assert.Empty(t, s.Operations)
		})
	}
}

// TestCountOfNone: protobuf's JSON leaves out what is 0, as newer collectors do.
func TestCountOfNone(t *testing.T) {
	for name, point := range map[string]string{
		"histogram":            `"histogram":{"aggregationTemporality":2,"dataPoints":[{"timeUnixNano":"2","sum":0,"explicitBounds":[1],"bucketCounts":["0","0"]}]}`,
		"without buckets":      `"histogram":{"aggregationTemporality":2,"dataPoints":[{"timeUnixNano":"2"}]}`,
		"exponential":          `"exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{"timeUnixNano":"2","sum":0}]}`,
		"not if there is some": `"histogram":{"aggregationTemporality":2,"dataPoints":[{"timeUnixNano":"2","sum":0,"explicitBounds":[1],"bucketCounts":["0","3"]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := summarise(t, writeFile(t, "telemetry", []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.request.duration",`+point+"}]}]}]}\n")))
			require.NoError(t, err)
			if name == "not if there is some" {
				require.Len(t, s.Input.Skipped, 1)
				assert.Equal(t, telemetry.ReasonBuckets, s.Input.Skipped[0].Reason)
				return
			}
			assert.Empty(t, s.Input.Skipped)
			require.NotNil(t, s.Total.Requests)
			assert.Equal(t, 0.0, *s.Total.Requests)
		})
	}
}
