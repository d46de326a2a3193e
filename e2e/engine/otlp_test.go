package engine_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/otlptranslator"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	promrules "github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage/remote"
	"github.com/prometheus/prometheus/util/teststorage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/retrykit/retrykit/e2e"
	"github.com/retrykit/retrykit/examples/alerting/demo"
	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// otlpServer is the OTLP endpoint, the storage and the engine of a current
// Prometheus, with one of the four name translations.
type otlpServer struct {
	settings rules.Settings
	storage  *teststorage.TestStorage
	engine   *promql.Engine
	exporter *otlpmetrichttp.Exporter
}

func newOTLPServer(t *testing.T, naming promname.Naming, native bool) *otlpServer {
	t.Helper()
	s := &otlpServer{settings: rules.Default(), storage: teststorage.New(t)}
	s.settings.Naming, s.settings.Native = naming, native
	s.engine = promql.NewEngine(promql.EngineOpts{
		MaxSamples: 1e6, Timeout: time.Minute, Parser: promQL, EnableAtModifier: true, EnableNegativeOffset: true,
	})
	settings := config.Config{OTLPConfig: config.OTLPConfig{
		TranslationStrategy: otlptranslator.TranslationStrategyOption(naming),
	}}
	endpoint := httptest.NewServer(remote.NewOTLPWriteHandler(slog.New(slog.DiscardHandler), nil, s.storage,
		func() config.Config { return settings }, remote.OTLPOptions{LookbackDelta: 5 * time.Minute}))
	t.Cleanup(endpoint.Close)
	options := []otlpmetrichttp.Option{otlpmetrichttp.WithEndpointURL(endpoint.URL + "/v1/metrics")}
	if native {
		options = append(options, otlpmetrichttp.WithAggregationSelector(func(kind sdkmetric.InstrumentKind) sdkmetric.Aggregation {
			if kind == sdkmetric.InstrumentKindHistogram {
				return sdkmetric.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20}
			}
			return sdkmetric.DefaultAggregationSelector(kind)
		}))
	}
	var err error
	s.exporter, err = otlpmetrichttp.New(t.Context(), options...)
	require.NoError(t, err)
	return s
}

func (s *otlpServer) ask(t *testing.T, query string, at time.Time) promql.Vector {
	t.Helper()
	q, err := s.engine.NewInstantQuery(t.Context(), s.storage, nil, query, at)
	require.NoError(t, err, query)
	defer q.Close()
	result := q.Exec(t.Context())
	require.NoError(t, result.Err, query)
	vector, err := result.Vector()
	require.NoError(t, err, query)
	return slices.Clone(vector)
}

// TestOTLPIngestion sends one service's metrics to five servers: one for each
// name translation, and one that gets exponential histograms. In each of them
// every panel shows something, every rule records something, and the counts are
// those of the service's dependencies.
func TestOTLPIngestion(t *testing.T) {
	t.Parallel()
	servers := map[string]*otlpServer{"native histograms": newOTLPServer(t, promname.UnderscoreEscapingWithSuffixes, true)}
	for _, naming := range promname.All() {
		servers[string(naming)] = newOTLPServer(t, naming, false)
	}
	var options []sdkmetric.Option
	for _, s := range servers {
		options = append(options, sdkmetric.WithReader(
			sdkmetric.NewPeriodicReader(s.exporter, sdkmetric.WithInterval(500*time.Millisecond))))
	}
	meters := sdkmetric.NewMeterProvider(options...)
	service, err := demo.Start(t.Context(), meters, 20, 1)
	require.NoError(t, err)
	service.SetFault(true)
	require.NoError(t, e2e.Pass(t.Context(), 8*time.Second))
	during := time.Now() // while its dependencies fail, every figure is there
	require.NoError(t, e2e.Pass(t.Context(), time.Second))
	service.SetFault(false)
	require.NoError(t, service.Stop())
	require.NoError(t, meters.ForceFlush(t.Context()))
	end := time.Now()
	truth := service.Stats()

	for name, s := range servers {
		t.Run(name, func(t *testing.T) {
			for panel, queries := range dashboard.Queries(s.settings, "6s") {
				for _, query := range queries {
					assert.NotEmpty(t, s.ask(t, query, during), "%s: %s", panel, query)
				}
			}
			s.checkRules(t, during)
			for _, route := range truth {
				dependency := e2e.DependencyOf(route.Route)
				count := func(m contract.Metric, matchers ...string) float64 {
					q := promname.Selector(s.settings.Naming.Metric(m),
						append(matchers, s.settings.Naming.Match(contract.AttrDependency, "=", dependency))...)
					vector := s.ask(t, "sum("+q+")", end)
					if len(vector) == 0 {
						return 0
					}
					return vector[0].F
				}
				outcome := func(op, value string) string { return s.settings.Naming.Match(contract.AttrOutcome, op, value) }
				assert.EqualValues(t, route.Requests, count(contract.Requests), "requests to %s", dependency)
				assert.EqualValues(t, route.Attempts, count(contract.Attempts), "attempts at %s", dependency)
				assert.EqualValues(t, route.FirstAttemptSuccesses, count(contract.Requests, outcome("=", contract.FirstAttemptSuccess)), "at once: %s", dependency)
				assert.EqualValues(t, route.Successes, count(contract.Requests, outcome("=~", ".+_success")), "in the end: %s", dependency)
			}
		})
	}
	require.NoError(t, meters.Shutdown(t.Context()))
}

// checkRules evaluates the rules once in Prometheus' own rule manager: every
// recording rule must record something.
func (s *otlpServer) checkRules(t *testing.T, at time.Time) {
	t.Helper()
	settings := s.settings
	require.NoError(t, settings.Scale(0.02))
	path := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(path, ruleFile(t, settings), 0o600))
	manager := promrules.NewManager(&promrules.ManagerOptions{
		NameValidationScheme: model.UTF8Validation,
		QueryFunc:            promrules.EngineQueryFunc(s.engine, s.storage),
		AppendableV2:         s.storage, Context: t.Context(), Parser: promQL,
		NotifyFunc: func(context.Context, string, ...*promrules.Alert) {},
		Logger:     slog.New(slog.DiscardHandler),
	})
	groups, errs := manager.LoadGroups(time.Second, labels.EmptyLabels(), "", nil, false, path)
	require.Empty(t, errs)
	recorded := 0
	for _, g := range groups {
		g.Eval(t.Context(), at)
		for _, r := range g.Rules() {
			require.NoError(t, r.LastError(), r.Name())
			if strings.HasPrefix(r.Name(), "retry:") {
				recorded++
				assert.NotEmpty(t, s.ask(t, r.Name(), at), "%s records nothing", r.Name())
			}
		}
	}
	assert.Greater(t, recorded, 30)
}

// TestExporterAndOTLPUseTheSameNames scrapes the exporter under each of the
// four translations.
func TestExporterAndOTLPUseTheSameNames(t *testing.T) {
	for _, naming := range promname.All() {
		t.Run(string(naming), func(t *testing.T) {
			meters, handler, err := demo.Metrics(otlptranslator.TranslationStrategyOption(naming))
			require.NoError(t, err)
			service, err := demo.Start(t.Context(), meters, 50, 1)
			require.NoError(t, err)
			service.SetFault(true)
			require.NoError(t, e2e.Pass(t.Context(), time.Second))
			require.NoError(t, service.Stop())
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
			request.Header.Set("Accept", "text/plain;version=0.0.4;escaping=allow-utf-8")
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			parser := expfmt.NewTextParser(model.UTF8Validation)
			families, err := parser.TextToMetricFamilies(answer.Body)
			require.NoError(t, err)
			for _, m := range contract.Metrics() {
				if m == contract.Replays || m == contract.AddedDuration {
					continue // they come with their first event, which may need longer
				}
				name := naming.Metric(m)
				if assert.Contains(t, families, name) {
					labels := map[string]bool{}
					for _, pair := range families[name].Metric[0].Label {
						labels[pair.GetName()] = true
					}
					assert.Contains(t, labels, naming.Label(contract.AttrDependency))
				}
			}
			require.NoError(t, meters.Shutdown(t.Context()))
		})
	}
}
