package figures_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
)

func TestTableIDsAreUniqueAndComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range figures.Table() {
		assert.False(t, seen[f.ID], "figure %s twice", f.ID)
		seen[f.ID] = true
		assert.NotEmpty(t, f.Title)
		assert.NotEmpty(t, f.Help)
		assert.NotEmpty(t, f.Unit)
		require.NotNil(t, f.PromQL)
	}
}

func TestPromQL(t *testing.T) {
	tests := []struct {
		id    string
		query figures.Query
		want  string
	}{
		{
			"first_attempt_success", figures.Query{},
			`(sum by (retry_dependency, retry_operation) (rate(otelretry_requests_total{retry_outcome="first_attempt_success"}[5m]))` +
				` or sum by (retry_dependency, retry_operation) (rate(otelretry_requests_total{retry_outcome!="canceled"}[5m])) * 0)` +
				` / sum by (retry_dependency, retry_operation) (rate(otelretry_requests_total{retry_outcome!="canceled"}[5m]))`,
		},
		{
			"attempts_per_request", figures.Query{Naming: promname.UnderscoreEscapingWithoutSuffixes, Window: "1h", By: []string{}, Matchers: []string{`job="a"`}},
			`sum by () (rate(otelretry_request_attempts_sum{job="a"}[1h])) / sum by () (rate(otelretry_request_attempts_count{job="a"}[1h]))`,
		},
		{
			"attempts_per_request", figures.Query{Native: true},
			`histogram_avg(sum by (retry_dependency, retry_operation) (rate(otelretry_request_attempts[5m])))`,
		},
		{
			"added_latency_p95", figures.Query{Naming: promname.NoUTF8EscapingWithSuffixes},
			`histogram_quantile(0.95, sum by ("retry.dependency", "retry.operation", le) (rate({"otelretry.request.added_duration_seconds_bucket"}[5m])))`,
		},
		{
			"budget_utilization", figures.Query{},
			`max by (retry_dependency) (otelretry_budget_utilization_ratio)`,
		},
		{
			"budget_rejections", figures.Query{Naming: promname.NoTranslation},
			`sum by ("retry.dependency") (rate({"otelretry.budget.rejections"}[5m]))`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.id+"/"+string(tt.query.Naming), func(t *testing.T) {
			f, ok := figures.Find(tt.id)
			require.True(t, ok)
			assert.Equal(t, tt.want, f.PromQL(tt.query))
		})
	}
}

func TestPromQLOfTheBudgetAsksForNoOperation(t *testing.T) {
	f, ok := figures.Find("budget_rejections")
	require.True(t, ok)
	q := figures.Query{
		By:                []string{"retry.dependency", "retry.operation", "job"},
		Matchers:          []string{`job="a"`},
		OperationMatchers: []string{`retry_operation="charge"`},
	}
	assert.Equal(t, `sum by (retry_dependency, job) (rate(otelretry_budget_rejections_total{job="a"}[5m]))`, f.PromQL(q))
}

func TestRecordName(t *testing.T) {
	want := map[string]string{
		"requests":             "retry:requests:rate5m",
		"attempts_per_request": "retry:attempts_per_request:ratio_rate5m",
		"added_latency_p95":    "retry:added_latency_p95:seconds_rate5m",
		"attempts_in_flight":   "retry:attempts_in_flight:sum",
		"budget_utilization":   "retry:budget_utilization:max",
	}
	for id, name := range want {
		f, ok := figures.Find(id)
		require.True(t, ok)
		assert.Equal(t, name, f.RecordName("5m"))
	}
}
