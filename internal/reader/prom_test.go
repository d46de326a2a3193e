package reader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of a last line that has no end nobody can tell whether a digit is missing: it
// is counted and left out. The mark of OpenMetrics' end needs none.
func TestPrometheusTextThatIsCutShort(t *testing.T) {
	const first = `otelretry_requests_total{retry_outcome="first_attempt_success"} `
	const retried = `otelretry_requests_total{retry_outcome="retried_success"} `
	for name, tt := range map[string]struct {
		text    string
		want    float64
		skipped string
	}{
		"whole":            {first + "5\n" + retried + "1000\n", 1005, ""},
		"in its value":     {first + "5\n" + retried + "10", 5, "line without an end, which may be cut short"},
		"in its labels":    {first + "5\n" + retried[:30], 5, "line without an end, which may be cut short"},
		"in a comment":     {first + "5\n# TYPE otelretr", 5, ""},
		"end of the input": {first + "5\n# EOF", 5, ""},
		"in white space":   {first + "5\n  ", 5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := summarise(t, writeFile(t, "metrics.txt", []byte("# TYPE otelretry_requests_total counter\n"+tt.text)))
			require.NoError(t, err)
			require.Equal(t, tt.want, *s.Total.Requests)
			if tt.skipped == "" {
				require.Empty(t, s.Input.Skipped)
				return
			}
			require.Len(t, s.Input.Skipped, 1)
			require.Equal(t, tt.skipped, s.Input.Skipped[0].Reason)
			require.Regexp(t, `metrics\.txt:3$`, s.Input.Skipped[0].Example)
		})
	}
}

// A process that lives for less than the clock's resolution exports counters
// that were created at the time of their only sample.
func TestOpenMetricsCreatedAtTheTimeOfTheSample(t *testing.T) {
	path := writeFile(t, "short-lived.txt", []byte(`# TYPE otelretry_requests counter
otelretry_requests_total{retry_dependency="shop",retry_operation="pay",retry_outcome="first_attempt_success"} 3 1767225600.250
otelretry_requests_created{retry_dependency="shop",retry_operation="pay",retry_outcome="first_attempt_success"} 1767225600.250
# EOF
`))
	s, err := summarise(t, path)
	require.NoError(t, err)
	require.Len(t, s.Operations, 1)
	require.NotNil(t, s.Operations[0].Requests)
	require.InDelta(t, 3, *s.Operations[0].Requests, 0)
}
