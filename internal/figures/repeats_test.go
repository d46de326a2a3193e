package figures

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// An exporter that got no answer in time sends its spans again.
func TestSpansThatAreReadTwice(t *testing.T) {
	send := telemetry.Span{ID: id(5), Start: 1e9, End: 2e9, Facts: &telemetry.Facts{Role: telemetry.HTTPClient, Dependency: "payments", Operation: "GET"}}
	export := append(attempts(1), retried(1), done(2, 3), send)
	b := NewBuilder(Options{})
	for range 3 {
		b.Add(&telemetry.Batch{SpanN: 5, Spans: export})
	}
	s := b.Clone().Summary()
	require.Len(t, s.Operations, 2)
	assert.Equal(t, 2.0, *s.Operations[0].Requests)
	assert.Equal(t, 3.0, *s.Operations[0].Attempts)
	assert.Equal(t, map[string]float64{"503": 1}, s.Operations[0].RetriesByClass)
	assert.Equal(t, 1.0, *s.Operations[1].Requests)
	assert.Equal(t, []summary.Skipped{{Reason: "span that was read before", Count: 6, Example: "payments/POST"}}, s.Input.Skipped)
	assert.Empty(t, s.Notes)
	assert.Equal(t, s, b.Summary(), "a clone is no less")
}

// Attempts that are read again after their request was counted are no others'.
func TestAttemptsThatAreReadTwice(t *testing.T) {
	b := NewBuilder(Options{})
	b.Add(&telemetry.Batch{SpanN: 5, Spans: append(append(attempts(1), retried(1)), attempts(1)...)})
	s := b.Summary()
	assert.Equal(t, map[string]float64{"503": 1}, s.Total.RetriesByClass)
	assert.Empty(t, s.Notes)
}

// A request that does not say how many attempts it had waits for none: those
// that come later are no copies.
func TestAttemptsOfARequestThatDoesNotSayHowMany(t *testing.T) {
	request := retried(1)
	facts := *request.Facts
	facts.Attempts = 0
	request.Facts = &facts
	b := NewBuilder(Options{})
	b.Add(&telemetry.Batch{SpanN: 3, Spans: append([]telemetry.Span{request}, attempts(1)...)})
	assert.Equal(t, []string{"2 attempt spans were read without their request"}, b.Clone().Summary().Notes)
	b.Add(&telemetry.Batch{SpanN: 1, Spans: []telemetry.Span{request}})
	s := b.Summary()
	assert.Equal(t, 1.0, *s.Total.Requests)
	assert.Len(t, s.Input.Skipped, 1, "it is known again all the same")
}

// Spans without an id are not told from each other.
func TestSpansWithoutAnID(t *testing.T) {
	b := NewBuilder(Options{})
	x := done(0, 3)
	b.Add(&telemetry.Batch{SpanN: 2, Spans: []telemetry.Span{x, x}})
	s := b.Summary()
	assert.Equal(t, 2.0, *s.Total.Requests)
	assert.Empty(t, s.Input.Skipped)
}

// Of more spans than can be remembered, how many were read twice is estimated.
func TestManySpansThatAreReadTwice(t *testing.T) {
	const n = 10 * maxSeen
	random := rand.New(rand.NewPCG(1, 2))
	spans := make([]telemetry.Span, n)
	for i := range spans {
		spans[i] = done(int(random.Uint64()>>1), 3)
	}
	b := NewBuilder(Options{})
	b.Add(&telemetry.Batch{SpanN: n, Spans: spans})
	assert.LessOrEqual(t, b.spans.repeats.seen.n, maxSeen)
	assert.Empty(t, b.Clone().Summary().Notes)
	b.Add(&telemetry.Batch{SpanN: n, Spans: spans})
	assert.InEpsilon(t, n, b.spans.repeats.missed, 0.03)
	assert.LessOrEqual(t, b.spans.repeats.seen.n, maxSeen)
	notes := b.Summary().Notes
	require.Len(t, notes, 1)
	assert.Contains(t, notes[0], "spans were read more than once")
}

// A set of keys is what a map of them is, whatever is put in and thrown out.
func TestKeySet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, model := newKeySet(), map[spanKey]bool{}
		for range rapid.IntRange(0, 2000).Draw(t, "steps") {
			var key spanKey
			binary.LittleEndian.PutUint64(key.id[:], uint64(rapid.IntRange(0, 700).Draw(t, "id")))
			_, was := model[key]
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				level := uint(rapid.IntRange(0, 3).Draw(t, "level"))
				set.keep(level)
				for k := range model {
					if k.hash()&(1<<level-1) != 0 {
						delete(model, k)
					}
				}
			case 1:
				x := set.find(&key, key.hash())
				require.Equal(t, was, x != nil)
				if was {
					*x |= moreBit
					model[key] = true
				}
			default:
				require.Equal(t, was, set.add(&key, key.hash()))
				if !was {
					model[key] = false
				}
			}
			require.Equal(t, len(model), set.n)
		}
		for key, more := range model {
			x := set.find(&key, key.hash())
			require.NotNil(t, x)
			assert.Equal(t, more, *x&moreBit != 0)
		}
	})
}
