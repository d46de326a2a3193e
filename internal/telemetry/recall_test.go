package telemetry

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
)

// decode reads attributes as a reader does, "key=value" each, from a raw list
// that it looks up first.
func decode(b *SpanBuilder, raw string, pairs ...string) (recalled bool) {
	if b.Recall([]byte(raw)) {
		return true
	}
	for i := 0; i < len(pairs); i += 2 {
		b.Attr([]byte(pairs[i]), []byte(pairs[i+1]))
	}
	b.Remember([]byte(raw))
	return false
}

func builder() *SpanBuilder { return NewSpanBuilder(NewRegistry(NewCatalog(nil, nil), 0)) }

func TestAttributesAreRecalledByTheirBytes(t *testing.T) {
	b := builder()
	read := func(name, raw string, pairs ...string) (Span, bool, bool) {
		b.Reset()
		recalled := decode(b, raw, pairs...)
		kept := b.Build([]byte(name), false)
		return b.Span, kept, recalled
	}
	pairs := []string{contract.AttrDependency, "db", contract.AttrOutcome, "retried_success", contract.AttrAttempts, "2",
		contract.AttrCodeFile, "pay.go", contract.AttrCodeLine, "7"}
	first, kept, recalled := read("one", "A", pairs...)
	require.True(t, kept)
	require.False(t, recalled)
	assert.Equal(t, "pay.go:7", first.CallSite)

	again, kept, recalled := read("two", "A", pairs...)
	require.True(t, kept)
	require.True(t, recalled)
	assert.Equal(t, "two", again.Operation, "what is no attribute is the span's own")
	assert.NotSame(t, first.Facts, again.Facts)
	named := *again.Facts
	named.Number, named.Operation = first.Number, first.Operation
	assert.Equal(t, *first.Facts, named)
	again, _, _ = read("one", "A")
	assert.Same(t, first.Facts, again.Facts, "what says the same is shared")

	_, kept, recalled = read("three", "AB")
	assert.False(t, recalled, "other bytes that begin alike")
	assert.False(t, kept, "nothing of the last span stays")

	_, kept, recalled = read("four", "AB")
	assert.True(t, recalled, "that nothing is asked for is known too")
	assert.False(t, kept)
}

// A span may have its attributes in more than one list: the later ones add to
// the first, of which other spans keep what it was.
func TestASecondListLeavesTheFirstAsItWas(t *testing.T) {
	b := builder()
	outcome := []string{contract.AttrOutcome, "retried_success", contract.AttrDependency, "db"}
	decode(b, "first", outcome...)
	b.Reset()
	require.True(t, decode(b, "first"))
	require.False(t, decode(b, "second", contract.AttrDependency, "cache"))
	require.True(t, b.Build([]byte("op"), false))
	assert.Equal(t, "cache", b.Dependency)
	assert.Equal(t, "retried_success", b.Outcome)

	b.Reset()
	require.True(t, decode(b, "first"))
	require.True(t, b.Build([]byte("op"), false))
	assert.Equal(t, "db", b.Dependency)

	b.Reset()
	assert.False(t, b.Recall([]byte("second")), "it stands for more than its own bytes")
}

func TestRecalledAttributesAreBounded(t *testing.T) {
	b := builder()
	long := make([]byte, maxRecalledRaw+1)
	for range 2 {
		b.Reset()
		assert.False(t, decode(b, string(long), contract.AttrOutcome, "x"))
	}
	for i := range 10 * maxRecalled {
		b.Reset()
		decode(b, fmt.Sprint("list ", i), contract.AttrAttempts, fmt.Sprint(i))
		require.True(t, b.Build([]byte("op"), false))
		require.Equal(t, i, b.Attempts)
	}
	assert.Len(t, b.entries, maxRecalled)
}
