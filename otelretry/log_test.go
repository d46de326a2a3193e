package otelretry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
)

func TestLogs(t *testing.T) {
	logged := func(options ...otelretry.Option) string {
		var out bytes.Buffer
		handler := slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}})
		policy, _, _ := recorded(t, append(options, otelretry.WithLogger(slog.New(handler)), otelretry.WithMaxAttempts(2))...)
		failure := otelretry.Retryable(errors.New("card 4111"))
		require.Error(t, policy.Operation("charge").Run(t.Context(), script(failure, failure)))
		require.Error(t, policy.Operation("charge").Run(t.Context(), script(errors.New("permanent"))))
		return out.String()
	}
	assert.Equal(t, strings.Join([]string{
		`level=DEBUG msg=retrying retry.dependency=payments retry.operation=charge retry.attempt.number=1 retry.attempt.delay=200ms error.type=*errors.errorString`,
		`level=WARN msg="retries exhausted" retry.dependency=payments retry.operation=charge retry.outcome=attempts_exhausted retry.attempts=2 elapsed=200ms error.type=*errors.errorString`,
		``}, "\n"), logged())
	assert.Contains(t, logged(otelretry.WithErrorText()), `error="card 4111"`)
}
