package telemetry

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
)

func TestNumbersOfAttempts(t *testing.T) {
	for text, want := range map[string]int{"3": 3, " 4 ": 4, "2147483647": 2147483647, "2147483648": 0, "4611686018427387904": 0, "-1": 0, "many": 0} {
		b := NewSpanBuilder(NewRegistry(NewCatalog(nil, nil), 0))
		b.Reset()
		b.Attr([]byte(contract.AttrAttempts), []byte(text))
		require.True(t, b.Build([]byte("charge"), false))
		assert.Equal(t, want, b.Attempts, text)
	}
}
