package rules_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/rules"
)

// TestEveryAlertHasItsUnitTests looks into the generated unit tests: each alert
// fires in one and stays silent in another, and each hard case is among them.
// promtool decides elsewhere whether they pass.
func TestEveryAlertHasItsUnitTests(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, rules.WriteUnitTests(&text, rules.Default(), []string{"rules.yaml"}, nil))
	var file struct {
		Tests []struct {
			Name   string
			Checks []struct {
				Expr    string
				Samples []any `yaml:"exp_samples"`
			} `yaml:"promql_expr_test"`
		}
	}
	require.NoError(t, yaml.Unmarshal(text.Bytes(), &file))
	fires, silent := map[string]bool{}, map[string]bool{}
	var names []string
	for _, test := range file.Tests {
		names = append(names, test.Name)
		for _, check := range test.Checks {
			for _, alert := range rules.Alerts() {
				switch {
				case strings.Contains(check.Expr, `alertname="`+alert+`"`) && len(check.Samples) > 0:
					fires[alert] = true
				case len(check.Samples) == 0 && (strings.Contains(check.Expr, `alertname="`+alert+`"`) || strings.Contains(check.Expr, `alertname=~"Retry.+|FirstAttemptSuccessBurn"`)):
					silent[alert] = true
				}
			}
		}
	}
	for _, alert := range rules.Alerts() {
		assert.True(t, fires[alert], "%s fires in no test", alert)
		assert.True(t, silent[alert], "%s is silent in no test", alert)
	}
	for _, hard := range []string{"low traffic", "counters that reset", "a deploy that restarts all", "an operation that disappears", "a short blip", "all is well"} {
		assert.Contains(t, strings.Join(names, "\n"), hard)
	}
}
