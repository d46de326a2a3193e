package rules_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/rules"
)

// Names from telemetry may have any character, and stay within the comment.
func TestRemarksAreComments(t *testing.T) {
	for _, end := range []string{"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\x00", "\x1b[31m", "\xff"} {
		s := rules.Default()
		var plain, got bytes.Buffer
		require.NoError(t, s.Write(&plain, nil))
		require.NoError(t, s.Write(&got, []string{"a" + end + "window: 7m"}))
		again := rules.Settings{}
		require.NoError(t, again.Read(bytes.NewReader(got.Bytes())), "%q", end)
		assert.Equal(t, s.Window, again.Window, "%q", end)
		assert.True(t, bytes.HasSuffix(got.Bytes(), plain.Bytes()), "%q", end)
	}
}
