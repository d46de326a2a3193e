package figures

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func id(n int) (id [8]byte) {
	binary.BigEndian.PutUint64(id[:], uint64(n))
	return id
}

func retried(n int) telemetry.Span {
	return telemetry.Span{ID: id(n), Start: 1e9, End: 3e9, Facts: &telemetry.Facts{
		Role: telemetry.Request, Dependency: "payments", Operation: "POST", Outcome: contract.RetriedSuccess, Attempts: 2,
	}}
}

// attempts of a retried request: one that failed, and one that did not.
func attempts(n int) []telemetry.Span {
	return []telemetry.Span{
		{ID: id(1<<32 + n), Parent: id(n), Start: 1e9, End: 2e9, Failed: true, Facts: &telemetry.Facts{Role: telemetry.Attempt, Attempt: 1, ErrorType: "503"}},
		{ID: id(2<<32 + n), Parent: id(n), Start: 2e9, End: 3e9, Facts: &telemetry.Facts{Role: telemetry.Attempt, Attempt: 2}},
	}
}

// A request span and an HTTP client's may have the same names: counting both
// would count the request twice.
func TestRequestsAndSendsOfOneName(t *testing.T) {
	b := NewBuilder(Options{})
	send := telemetry.Span{ID: id(5), Start: 1e9, End: 2e9, Facts: &telemetry.Facts{Role: telemetry.HTTPClient, Dependency: "payments", Operation: "POST"}}
	b.Add(&telemetry.Batch{SpanN: 5, Spans: append(attempts(1), send, retried(1), send)})
	s := b.Clone().Summary()
	require.Len(t, s.Operations, 1)
	assert.Equal(t, 1.0, *s.Operations[0].Requests)
	assert.Equal(t, 2.0, *s.Operations[0].Attempts)
	assert.Equal(t, map[string]float64{"503": 1}, s.Operations[0].RetriesByClass)
	assert.Equal(t, []string{"payments/POST: there are spans of requests and of an HTTP client under this name; those of requests decide"}, s.Notes)
	require.Len(t, s.Timeline, 1)
	assert.Equal(t, 1.0, s.Timeline[0].Requests, "no plot adds the two up")
	assert.Equal(t, 2.0, *s.Timeline[0].Attempts)
	assert.Equal(t, s, b.Summary(), "a clone is no less")
}

// TestWaitingRequestsAreBounded lets more requests wait than may: the oldest are
// counted with what was read of them, and the note says how many.
func TestWaitingRequestsAreBounded(t *testing.T) {
	b := NewBuilder(Options{})
	const more = 1000
	var batch telemetry.Batch
	for i := range maxPending + more {
		batch.Spans = append(batch.Spans[:0], retried(i+1))
		b.Add(&batch)
	}
	require.Equal(t, maxPending, len(b.spans.pending))
	for i := range maxPending + more { // those of the first thousand come last, and too late
		batch.Spans = append(batch.Spans[:0], attempts((i+more)%(maxPending+more)+1)...)
		b.Add(&batch)
	}
	require.Equal(t, more, len(b.spans.pending), "attempts whose request is gone")
	s := b.Summary()
	assert.Equal(t, float64(maxPending+more), *s.Total.Requests)
	assert.Equal(t, map[string]float64{"503": maxPending, UnknownClass: more}, s.Total.RetriesByClass)
	assert.Equal(t, []string{
		`1000 requests were read without some of their attempt spans: those retries are of class "unknown"`,
		"2000 attempt spans were read without their request",
	}, s.Notes)
}

// What a span says of its attempts may be anything: counting them takes no time
// for those that were not read.
func TestAttemptsWithoutEnd(t *testing.T) {
	request := retried(1)
	facts := *request.Facts
	facts.Attempts = math.MaxInt32
	request.Facts = &facts
	b := NewBuilder(Options{})
	b.Add(&telemetry.Batch{SpanN: 3, Spans: append(attempts(1), request)})
	for i := range 2 * maxAttempts { // of a request that never comes
		x := attempts(7)[0]
		x.End += int64(i)
		b.Add(&telemetry.Batch{SpanN: 1, Spans: []telemetry.Span{x}})
	}
	for _, p := range b.spans.pending {
		assert.LessOrEqual(t, len(p.attempts), maxAttempts)
	}
	s := b.Summary()
	assert.Equal(t, map[string]float64{"503": 1, UnknownClass: math.MaxInt32 - 2}, s.Total.RetriesByClass)
}

// A request is in the window that it ends in, with its attempts, wherever those
// end: what was before the window's beginning is not unknown.
func TestAttemptsAcrossTheEndsOfAWindow(t *testing.T) {
	at := func(seconds float64) time.Time { return time.Unix(0, int64(seconds*1e9)) }
	for name, tt := range map[string]struct {
		options  Options
		requests float64
	}{
		"begins after the first attempt": {Options{Since: at(2.5)}, 1},
		"ends after the first attempt":   {Options{Until: at(2.5)}, 0},
		"begins after the request":       {Options{Since: at(3.5)}, 0},
		"ends after the request":         {Options{Until: at(3.5)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(tt.options)
			b.Add(&telemetry.Batch{SpanN: 3, Spans: append(attempts(1), retried(1))})
			b.Add(&telemetry.Batch{SpanN: 1, Spans: []telemetry.Span{done(2, 2), done(3, 4)}}) // so that there is one
			s := b.Summary()
			assert.Equal(t, tt.requests+1, *s.Total.Requests)
			assert.Empty(t, s.Notes)
			assert.NotContains(t, s.Total.RetriesByClass, UnknownClass)
			require.NotNil(t, s.Total.AddedLatency)
			assert.Equal(t, tt.requests/(tt.requests+1), *s.Total.AddedLatency.Mean)
		})
	}
	b := NewBuilder(Options{Since: at(2.5)})
	b.Add(&telemetry.Batch{SpanN: 2, Spans: append(attempts(1), done(3, 4))})
	assert.Equal(t, []string{"1 attempt spans were read without their request"}, b.Summary().Notes, "that of the attempt in the window")

	b = NewBuilder(Options{Until: at(2.5)})
	b.Add(&telemetry.Batch{SpanN: 4, Spans: append([]telemetry.Span{done(2, 2), retried(1)}, attempts(1)...)})
	assert.Empty(t, b.Summary().Notes, "the attempts' request came before them")
}

// done is a request that ends with its first attempt, at a second.
func done(n int, second int64) telemetry.Span {
	return telemetry.Span{ID: id(n), Start: 1e9, End: second * 1e9, Facts: &telemetry.Facts{
		Role: telemetry.Request, Dependency: "payments", Operation: "POST", Outcome: contract.FirstAttemptSuccess, Attempts: 1,
	}}
}

// A hedged request is over when its hedge answers, and its first attempt after
// that: it added nothing, as the metric says too.
func TestFirstAttemptThatEndsAfterItsRequest(t *testing.T) {
	request, of := retried(1), attempts(1)
	of[0].End = request.End + 60e9
	b := NewBuilder(Options{})
	b.Add(&telemetry.Batch{SpanN: 3, Spans: []telemetry.Span{of[1], request, of[0]}})
	s := b.Summary()
	require.NotNil(t, s.Total.AddedLatency)
	assert.Equal(t, 0.0, *s.Total.AddedLatency.Mean)
	assert.Equal(t, 0.0, *s.Total.AddedLatency.P99)
}
