package threshold_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/threshold"
)

func TestParse(t *testing.T) {
	tests := map[string]threshold.Threshold{
		"attempts_per_request<1.2":                     {Figure: "attempts_per_request", Op: "<", Value: 1.2},
		"payments/charge:first_attempt_success >= 99%": {Figure: "first_attempt_success", Op: ">=", Value: 0.99, Unit: threshold.Percent, Dependency: "payments", Operation: "charge"},
		"*:added_latency_p95<=250ms":                   {Figure: "added_latency_p95", Op: "<=", Value: 0.25, Unit: threshold.Milliseconds, Each: true},
		"payments:deadline_share<1.1%":                 {Figure: "deadline_share", Op: "<", Value: 0.011, Unit: threshold.Percent, Dependency: "payments", Each: true},
		"retry_ratio_by_class[503]<0.05":               {Figure: "retry_ratio_by_class", Class: "503", Op: "<", Value: 0.05},
	}
	for text, want := range tests {
		got, err := threshold.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"attempts_per_request":        "one of <, <=, > and >=",
		"attempts_per_request==1":     "[SUBJECT:]FIGURE",
		"attempt_per_request<1":       "unknown figure",
		"attempts_per_request<many":   "is no number",
		"attempts_per_request<NaN":    "is no number",
		"attempts_per_request[503]<1": "has no classes",
		"retry_ratio_by_class<1":      "name one",
		"attempts_in_flight<3":        "unknown figure",
	} {
		_, err := threshold.Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func TestParseYAML(t *testing.T) {
	got, err := threshold.ParseYAML(strings.NewReader(`
thresholds:
  - attempts_per_request < 1.2
  - {figure: eventual_success, op: ">", value: 0.999, dependency: payments, operation: charge}
`))
	require.NoError(t, err)
	assert.Equal(t, []threshold.Threshold{
		{Figure: "attempts_per_request", Op: "<", Value: 1.2},
		{Figure: "eventual_success", Op: ">", Value: 0.999, Dependency: "payments", Operation: "charge"},
	}, got)
	for text, want := range map[string]string{
		"":                          "empty",
		"limits: []":                "not found",
		"thresholds: []":            "no thresholds",
		"thresholds: [a<1]":         "line 1",
		"thresholds: [{figure: x}]": "unknown figure",
	} {
		_, err := threshold.ParseYAML(strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func TestWhatIsMissingFails(t *testing.T) {
	one := 1.1
	s := &summary.Summary{
		Operations: []summary.Operation{{Dependency: "a", Operation: "b", Figures: summary.Figures{AttemptsPerRequest: &one}}},
	}
	check := func(text string) threshold.Result {
		th, err := threshold.Parse(text)
		require.NoError(t, err)
		results := threshold.Check(s, []threshold.Threshold{th})
		require.Len(t, results, 1)
		return results[0]
	}
	assert.True(t, check("*:attempts_per_request<1.2").Passed)
	assert.False(t, check("a/b:attempts_per_request<1.05").Passed)
	assert.False(t, check("attempts_per_request<1.2").Passed, "the total is not known")
	assert.False(t, check("a/b:eventual_success>0").Passed, "not measured")
	assert.False(t, check("x/y:attempts_per_request<9").Passed, "no such operation")
	assert.Nil(t, check("x/y:attempts_per_request<9").Value)
}

func TestAThresholdIsShownAsItWasWritten(t *testing.T) {
	for text, want := range map[string]string{
		"deadline_share<1.1%":                  "deadline_share < 1.1%",
		"added_latency_p95<3s":                 "added_latency_p95 < 3s",
		"added_latency_p95<=2.5ms":             "added_latency_p95 <= 2.5ms",
		"attempts_per_request>=1.2":            "attempts_per_request >= 1.2",
		"x/y:retry_ratio_by_class[503] < 0.05": "retry_ratio_by_class[503] < 0.05",
	} {
		th, err := threshold.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, th.String())
	}
	assert.Equal(t, "78.6802%", threshold.Percent.Text(0.786802, 6))
}
