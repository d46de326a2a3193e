package schema_test

import (
	"log/slog"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/e2e"
	"github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// promQL is Prometheus' own parser, as a server without feature flags has it.
var promQL = parser.NewParser(parser.Options{})

// everyNaming runs a test with the settings of each name translation, with
// classic and with native histograms.
func everyNaming(t *testing.T, test func(*testing.T, rules.Settings)) {
	t.Helper()
	for _, naming := range promname.All() {
		for name, native := range map[string]bool{"classic": false, "native": true} {
			t.Run(string(naming)+"/"+name, func(t *testing.T) {
				s := rules.Default()
				s.Naming, s.Native = naming, native
				s.Selectors, s.By = []string{`job=~"check.+"`}, []string{"job"}
				limit := 3.0
				s.Operations = []rules.Operation{{Dependency: "payments", Operation: "charge", Thresholds: rules.Thresholds{AttemptsPage: &limit}}}
				test(t, s)
			})
		}
	}
}

func TestPrometheusParsesEveryRule(t *testing.T) {
	everyNaming(t, func(t *testing.T, s rules.Settings) {
		groups, errs := rulefmt.Parse(ruleFile(t, s), false, model.UTF8Validation, promQL, slog.New(slog.DiscardHandler))
		require.Empty(t, errs)
		count := 0
		for _, g := range groups.Groups {
			count += len(g.Rules)
		}
		assert.Greater(t, count, 40)
	})
}

func TestPrometheusParsesEveryQueryOfTheDashboards(t *testing.T) {
	everyNaming(t, func(t *testing.T, s rules.Settings) {
		for panel, queries := range dashboard.Queries(s, "5m") {
			for _, query := range queries {
				_, err := promQL.ParseExpr(query)
				assert.NoError(t, err, "%s: %s", panel, query)
			}
		}
	})
}

func ruleFile(t *testing.T, s rules.Settings) []byte {
	t.Helper()
	text, err := e2e.RuleFile(s)
	require.NoError(t, err)
	return text
}
