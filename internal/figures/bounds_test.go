package figures

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// requestsStream is the stream of an operation's requests.
func requestsStream(t *testing.T, temporality telemetry.Temporality) *telemetry.Stream {
	t.Helper()
	s, err := telemetry.NewRegistry(dialect.Catalog(), 0).Stream(telemetry.Identity{
		Metric: contract.Requests.Name, Kind: telemetry.Sum, Temporality: temporality,
		Attrs: telemetry.NewAttrs([]telemetry.Attr{
			{Key: contract.AttrDependency, Value: "payments"}, {Key: contract.AttrOperation, Value: "charge"},
			{Key: contract.AttrOutcome, Value: contract.FirstAttemptSuccess},
		}),
	})
	require.NoError(t, err)
	return s
}

// TestResetsAndStartsAreBounded: up to the bound all is counted; past it the
// figures are refused, and not a part of them shown.
func TestResetsAndStartsAreBounded(t *testing.T) {
	stream := requestsStream(t, telemetry.Cumulative)
	for name, tt := range map[string]struct {
		bound  int
		sample func(i int) telemetry.Sample
		want   string
	}{
		"resets": {maxRuns, func(i int) telemetry.Sample { // each value is below the last one
			return telemetry.Sample{Stream: stream, Start: 1, Time: int64(i+2) * 1e9, Value: float64(2*maxRuns - i)}
		}, fmt.Sprintf("more than %d resets", maxRuns)},
		"start times": {maxIncarnations, func(i int) telemetry.Sample {
			return telemetry.Sample{Stream: stream, Start: int64(i+1) * 1e9, Time: int64(i+1)*1e9 + 5e8, Value: 3}
		}, fmt.Sprintf("more than %d start times", maxIncarnations)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{tt.bound, tt.bound + 1, tt.bound + 500} {
				b := NewBuilder(Options{})
				var want float64
				for i := range n {
					x := tt.sample(i)
					want += x.Value
					b.Add(&telemetry.Batch{Points: 1, Samples: []telemetry.Sample{x}})
				}
				s := b.Summary()
				if n == tt.bound {
					require.False(t, s.Refused, "%v", s.Notes)
					assert.Equal(t, want, *s.Total.Requests)
					continue
				}
				require.True(t, s.Refused)
				assert.Contains(t, s.Notes[0], tt.want)
				assert.Nil(t, s.Total.Requests)
				require.LessOrEqual(t, len(b.streams[0].incarnations), maxIncarnations)
			}
		})
	}
}

// TestSlotsAreBounded spreads requests over centuries.
func TestSlotsAreBounded(t *testing.T) {
	stream := requestsStream(t, telemetry.Delta)
	b := NewBuilder(Options{})
	const n, apart = 5000, int64(1e9) * 3600 * 24 * 10
	for i := range n {
		at := int64(i*7919%n+1) * apart // in no order
		b.Add(&telemetry.Batch{Points: 1, Samples: []telemetry.Sample{{Stream: stream, Start: at - 1e9, Time: at, Value: 2}}})
		for _, x := range b.tracks {
			require.LessOrEqual(t, len(x.slots), maxSlots)
		}
	}
	s := b.Summary()
	assert.LessOrEqual(t, len(s.Timeline), maxSlots)
	var requests float64
	for _, slot := range s.Timeline {
		requests += slot.Requests
	}
	assert.Equal(t, 2.0*n, requests, "slots that widen lose nothing")
	assert.Equal(t, 2.0*n, *s.Total.Requests)
}

// TestOperationsOfSpansAreBounded names an operation, a class and an outcome by
// an id, as nobody should: all is counted, and not all told apart.
func TestOperationsOfSpansAreBounded(t *testing.T) {
	b := NewBuilder(Options{})
	const n = maxOperations + 1000
	for i := range n {
		request := retried(i + 1)
		request.Operation = fmt.Sprintf("GET /orders/%d", i)
		send := telemetry.Span{ID: id(3<<32 + i), Start: 1e9, End: 2e9, Facts: &telemetry.Facts{Role: telemetry.HTTPClient, Dependency: "orders", Operation: request.Operation}}
		b.Add(&telemetry.Batch{Spans: append(attempts(i+1), request, send)})
	}
	s := b.Clone().Summary()
	assert.Len(t, s.Operations, maxOperations+2)
	assert.Equal(t, 2.0*n, *s.Total.Requests, "requests and sends")
	assert.Equal(t, fmt.Sprintf("%d spans are of more than 4096 operations, and counted as _OTHER; is there an id in their names?", 2*n-maxOperations), s.Notes[0])
	assert.Equal(t, s, b.Summary())

	b = NewBuilder(Options{})
	for i := range n {
		request, of := retried(i+1), attempts(i+1)
		request.CallSite = fmt.Sprintf("main.go:%d", i)
		of[0].ErrorType = fmt.Sprintf("order %d is locked", i)
		b.Add(&telemetry.Batch{Spans: append(of, request)})
		facts := *request.Facts
		request.Facts = &facts
		request.ID, request.Outcome, request.Attempts = id(4<<32+i), fmt.Sprint(i), 1
		b.Add(&telemetry.Batch{Spans: []telemetry.Span{request}})
	}
	s = b.Summary()
	require.Len(t, s.Operations, 1)
	op := &s.Operations[0]
	assert.Equal(t, 2.0*n, *op.Requests)
	assert.Len(t, op.RetriesByClass, maxClasses+1)
	assert.Equal(t, float64(n-maxClasses), op.RetriesByClass[contract.Other])
	assert.Len(t, op.Outcomes, maxOutcomes+1)
	assert.Nil(t, op.CallSite)
	assert.LessOrEqual(t, len(b.spans.sites[operationKey{"payments", "POST"}]), maxSites)
}

// Deltas with more gaps than are kept are added up, and what that leaves open is
// said.
func TestGapsBetweenDeltasAreBounded(t *testing.T) {
	id := &telemetry.Stream{Identity: telemetry.Identity{Metric: contract.Requests.Name, Temporality: telemetry.Delta,
		Attrs: telemetry.NewAttrs([]telemetry.Attr{{Key: contract.AttrOutcome, Value: contract.FirstAttemptSuccess}})}}
	b := NewBuilder(Options{})
	for i := range int64(maxIntervals) + 1 {
		x := sample(10*i+1, 10*i+5, 1)
		x.Stream = id
		if i == maxIntervals {
			assert.Empty(t, b.Clone().Summary().Notes)
		}
		b.Add(&telemetry.Batch{Samples: []telemetry.Sample{x}})
	}
	s := b.Summary()
	assert.Equal(t, maxIntervals+1.0, *s.Total.Requests)
	assert.Equal(t, []string{"1 streams of deltas have more than 4096 gaps in time: whether some of them were read twice is not known"}, s.Notes)
}
