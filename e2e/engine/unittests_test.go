package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	promrules "github.com/prometheus/prometheus/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/e2e"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// promQL is Prometheus' own parser, as a server without feature flags has it.
var promQL = parser.NewParser(parser.Options{})

// unitTests is what promtool test rules reads, as far as our tests use it.
type unitTests struct {
	Tests []struct {
		Name        string
		Interval    model.Duration
		InputSeries []struct{ Series, Values string } `yaml:"input_series"`
		Checks      []exprCheck                       `yaml:"promql_expr_test"`
	}
}

type exprCheck struct {
	Expr     string
	EvalTime model.Duration            `yaml:"eval_time"`
	Samples  []struct{ Value float64 } `yaml:"exp_samples"`
}

// TestRulesOfANewPrometheus runs the generated unit tests where Debian's
// promtool can't: for names with dots and for native histograms, in the engine
// and the rule manager of a current Prometheus.
func TestRulesOfANewPrometheus(t *testing.T) {
	for name, change := range map[string]func(*rules.Settings){
		"dots":             func(s *rules.Settings) { s.Naming = promname.NoUTF8EscapingWithSuffixes },
		"untouched native": func(s *rules.Settings) { s.Naming, s.Native = promname.NoTranslation, true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := rules.Default()
			change(&s)
			path := filepath.Join(t.TempDir(), "rules.yaml")
			require.NoError(t, os.WriteFile(path, ruleFile(t, s), 0o600))
			var text bytes.Buffer
			require.NoError(t, rules.WriteUnitTests(&text, s, []string{"rules.yaml"}, nil))
			var tests unitTests
			require.NoError(t, yaml.Unmarshal(text.Bytes(), &tests))
			require.Greater(t, len(tests.Tests), 10)
			for _, test := range tests.Tests {
				var load strings.Builder
				fmt.Fprintf(&load, "load %s\n", test.Interval)
				for _, series := range test.InputSeries {
					fmt.Fprintf(&load, "  %s %s\n", series.Series, series.Values)
				}
				suite := evaluate(t, load.String(), path, time.Duration(test.Interval), lastCheck(test.Checks))
				for _, check := range test.Checks {
					query, err := suite.QueryEngine().NewInstantQuery(t.Context(), suite.Queryable(), nil, check.Expr,
						time.Unix(0, 0).Add(time.Duration(check.EvalTime)))
					require.NoError(t, err)
					result := query.Exec(t.Context())
					require.NoError(t, result.Err)
					vector, err := result.Vector()
					require.NoError(t, err)
					if assert.Len(t, vector, len(check.Samples), "%s: %s at %s", test.Name, check.Expr, check.EvalTime) && len(vector) > 0 {
						assert.InDelta(t, check.Samples[0].Value, vector[0].F, 1e-9, test.Name)
					}
				}
				require.NoError(t, suite.Close())
			}
		})
	}
}

func lastCheck(checks []exprCheck) time.Duration {
	var last time.Duration
	for _, c := range checks {
		last = max(last, time.Duration(c.EvalTime))
	}
	return last
}

// evaluate loads series and evaluates the rules at every interval until the
// end.
func evaluate(t *testing.T, load, ruleFile string, interval, until time.Duration) *promqltest.LazyLoader {
	t.Helper()
	suite, err := promqltest.NewLazyLoader(load, promqltest.LazyLoaderOpts{
		EnableAtModifier: true, EnableNegativeOffset: true, Parser: promQL,
	})
	require.NoError(t, err)
	manager := promrules.NewManager(&promrules.ManagerOptions{
		NameValidationScheme: model.UTF8Validation,
		QueryFunc:            promrules.EngineQueryFunc(suite.QueryEngine(), suite.Storage()),
		AppendableV2:         suite.Storage(), Context: t.Context(), Parser: promQL,
		NotifyFunc: func(context.Context, string, ...*promrules.Alert) {},
		Logger:     slog.New(slog.DiscardHandler),
	})
	groups, errs := manager.LoadGroups(interval, labels.EmptyLabels(), "", nil, false, ruleFile)
	require.Empty(t, errs)
	for _, g := range groups {
		for _, r := range g.Rules() {
			if alert, ok := r.(*promrules.AlertingRule); ok {
				alert.SetRestored(true) // as after a restart: write ALERTS from the first evaluation on
			}
		}
	}
	for at := time.Duration(0); at <= until; at += interval {
		now := time.Unix(0, 0).UTC().Add(at)
		suite.WithSamplesTill(now, func(err error) {
			require.NoError(t, err)
			for _, g := range groups {
				g.Eval(t.Context(), now)
				for _, r := range g.Rules() {
					require.NoError(t, r.LastError(), r.Name())
				}
			}
		})
	}
	return suite
}

func ruleFile(t *testing.T, s rules.Settings) []byte {
	t.Helper()
	text, err := e2e.RuleFile(s)
	require.NoError(t, err)
	return text
}
