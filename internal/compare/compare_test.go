package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/compare"
	"github.com/retrykit/retrykit/internal/summary"
)

func operation(name string, requests, first float64) summary.Operation {
	ratio := first / requests
	return summary.Operation{Dependency: name, Figures: summary.Figures{
		Requests: &requests, FirstAttemptSuccess: &ratio, EventualSuccess: &ratio, Outcomes: map[string]float64{},
	}}
}

func TestSummaries(t *testing.T) {
	before := &summary.Summary{Operations: []summary.Operation{operation("a", 70, 56), operation("noise", 100, 90), operation("gone", 10, 10)}}
	after := &summary.Summary{Operations: []summary.Operation{operation("a", 80, 48), operation("noise", 100, 91), operation("new", 10, 10)}}
	changes, _ := compare.Summaries(before, after)
	require.Len(t, changes, 4)
	// Newcombe's paper, table II (a): 56/70 and 48/80 differ by 0.2, 95 %
	// interval by method 10 from 0.0524 to 0.3339.
	a := changes[0]
	assert.Equal(t, "a", a.Dependency)
	assert.InDelta(t, -0.3339, a.First.Interval[0], 5e-5)
	assert.InDelta(t, -0.0524, a.First.Interval[1], 5e-5)
	assert.InDelta(t, 0.0082, *a.First.P, 5e-4)
	assert.True(t, a.First.Significant())
	byName := map[string]compare.Change{}
	for _, c := range changes {
		byName[c.Dependency] = c
	}
	noise, gone, added := byName["noise"], byName["gone"], byName["new"]
	assert.False(t, noise.First.Significant())
	assert.Equal(t, "after", gone.Missing)
	assert.Equal(t, "before", added.Missing)
	assert.Nil(t, added.First.P)
}
