package reader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
