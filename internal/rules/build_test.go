package rules_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

func f(v float64) *float64 { return &v }

// variants are settings that differ in everything that can be set.
func variants() map[string]func(*rules.Settings) {
	return map[string]func(*rules.Settings){
		"default":        func(*rules.Settings) {},
		"selected":       selected,
		"strict_short":   func(s *rules.Settings) { strict(s); must(s.Scale(0.02)) },
		"own_thresholds": ownThresholds,
		"only_two": func(s *rules.Settings) {
			ownThresholds(s)
			s.Only = true
			s.Off = []string{rules.RetryIneffective, rules.RetryAttemptsPerRequestHigh, rules.FirstAttemptSuccessBurn}
		},
	}
}

func selected(s *rules.Settings) {
	s.Naming = promname.UnderscoreEscapingWithoutSuffixes
	s.Selectors = []string{`job="checkout"`, `cluster=~"eu-.+|us-1"`, `env!="test"`}
	s.By = []string{"cluster"}
	s.Labels = map[string]string{"team": "payments"}
	s.Severities = map[string]string{rules.Page: "critical", rules.Ticket: "warning"}
	s.Interval = model.Duration(30 * time.Second)
}

func strict(s *rules.Settings) {
	s.Thresholds = rules.Thresholds{
		MinRequestRate: f(0.1), AttemptsTicket: f(1.02), AttemptsPage: f(1.5), Objective: f(0.999), MaskedFailure: f(0.2),
		DeadlineShare: f(0), RetrySuccess: f(0.9), MinRetries: f(0.5), BudgetRejecting: f(3),
	}
}

func ownThresholds(s *rules.Settings) {
	s.Operations = []rules.Operation{
		{Dependency: "payments", Operation: "charge", Thresholds: rules.Thresholds{AttemptsPage: f(3), MinRequestRate: f(0.2)}},
		{Dependency: "search", Operation: "GET /items/{id}", Off: []string{rules.RetryMaskedFailure}},
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func settings(change func(*rules.Settings)) rules.Settings {
	s := rules.Default()
	change(&s)
	return s
}

// promtool runs Prometheus' own tool; Debian's package prometheus has it.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatal("promtool is missing: install the package prometheus")
		}
		t.Skip("promtool is not installed")
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	require.NoError(t, err, "promtool %s:\n%s", strings.Join(args, " "), out)
}

func TestPromtoolAcceptsTheRulesAndTheirTests(t *testing.T) {
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := settings(change)
			dir := t.TempDir()
			file, err := rules.Build(s)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, file.Write(&out, []string{"Rules."}))
			rulePath := filepath.Join(dir, "rules.yaml")
			require.NoError(t, os.WriteFile(rulePath, out.Bytes(), 0o600))
			promtool(t, "check", "rules", "--lint=all", "--lint-fatal", rulePath)

			out.Reset()
			require.NoError(t, rules.WriteUnitTests(&out, s, []string{"rules.yaml"}, nil))
			testPath := filepath.Join(dir, "rules_test.yaml")
			require.NoError(t, os.WriteFile(testPath, out.Bytes(), 0o600))
			promtool(t, "test", "rules", testPath)
		})
	}
}
