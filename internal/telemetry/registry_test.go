package telemetry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
)

func TestTextOfSpansIsBounded(t *testing.T) {
	r := NewRegistry(NewCatalog(nil, nil), 0)
	in := NewValueInterner(r)
	assert.Equal(t, strings.Repeat("x", maxValue), in.Intern([]byte(strings.Repeat("x", maxValue))))
	assert.Equal(t, contract.Other, in.Intern([]byte(strings.Repeat("x", maxValue+1))))
	for i := range 2 * maxValues {
		want := fmt.Sprint(i)
		if i >= maxValues-1 {
			want = contract.Other
		}
		require.Equal(t, want, in.Intern(fmt.Append(nil, i)))
	}
	assert.Equal(t, "7", in.Intern([]byte("7")), "what is kept stays")
	assert.LessOrEqual(t, len(in.strings), maxValues)
	other := NewValueInterner(r)
	assert.Equal(t, "7", other.Intern([]byte("7")), "and is the same for all")
	assert.Empty(t, other.Intern(nil))
}

// A registry's bound is on what its streams take up, too: their attributes may
// be of any length.
func TestIdentitiesAreBounded(t *testing.T) {
	r := NewRegistry(NewCatalog(nil, nil), 0)
	r.size = maxIdentities - 3000
	attrs := func(i int) Attrs { return Attrs{{"key", fmt.Sprint(i) + strings.Repeat("x", 1000)}} }
	for i := range 2 {
		_, err := r.Stream(Identity{Metric: "m", Attrs: attrs(i)})
		require.NoError(t, err)
	}
	_, err := r.Stream(Identity{Metric: "m", Attrs: attrs(2)})
	require.ErrorIs(t, err, ErrTooManyStreams)
	_, err = r.Stream(Identity{Metric: "m", Attrs: attrs(1)})
	assert.NoError(t, err, "what is kept stays")
}
