package rules_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/rules"
)

// Whatever a settings file says, it is refused or gives rules; what is written
// reads the same again.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"", "naming: notranslation\nwindow: 10m", "thresholds: {attempts_ticket: 1.05, attempts_page: .inf}",
		"for: {attempts_page: 1m}", "severities: {page: critical}", "burn: [{long: 2h, short: 10m, factor: 10, severity: page}]",
		"operations:\n  - {dependency: payments, operation: \"ch\\\"arge\\n\", attempts_page: 2}", "off: [RetryAttemptsHigh]",
		"selectors: ['job=\"a\"']", "by: [cluster]", "- 1", "window: 99999999999y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := rules.Default()
		if err := s.Read(strings.NewReader(text)); err != nil {
			assert.Equal(t, rules.Default(), s, "an error changes nothing")
			return
		}
		if s.Validate() != nil {
			return
		}
		file, err := rules.Build(s)
		require.NoError(t, err)
		require.NoError(t, file.Write(new(bytes.Buffer), nil))
		require.NoError(t, rules.WriteUnitTests(new(bytes.Buffer), s, []string{"rules.yaml"}, nil))
		var written bytes.Buffer
		require.NoError(t, s.Write(&written, nil))
		again := rules.Default()
		require.NoError(t, again.Read(bytes.NewReader(written.Bytes())))
		var twice bytes.Buffer
		require.NoError(t, again.Write(&twice, nil))
		assert.Equal(t, written.String(), twice.String())
	})
}
