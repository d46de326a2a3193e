package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryQuirkHasAFixture lists what a reader must survive, and shows of each
// that its fixture has it (or, of binary ones, begins so) and what was made of
// it; TestFixtures holds that the golden is what the report says.
func TestEveryQuirkHasAFixture(t *testing.T) {
	const all = `"requests": 200,` // of the fixtures that tell one story in several spellings
	for quirk, tt := range map[string]struct {
		fixture string
		has     string // in the fixture
		shown   string // in the golden
	}{
		"OTLP/JSON lines":                      {"reports/specification-4184.jsonl", `{"resourceMetrics":[`, all},
		"OTLP protobuf, bare":                  {"formats/bare.binpb", "\x0a", `"requests": 20,`},
		"OTLP protobuf, length-prefixed":       {"formats/length-prefixed.binpb", "\x00\x00", `"requests": 20,`},
		"a frame that is cut short":            {"formats/length-prefixed-cut-short.binpb", "\x00\x00", "a frame that is cut short"},
		"gzip":                                 {"formats/gzip.bin", "\x1f\x8b", all},
		"zstd":                                 {"formats/zstd.bin", "\x28\xb5\x2f\xfd", `"requests": 40,`},
		"zstd frames in JSON's place":          {"reports/contrib-32565.json.zstd", "\x28\xb5\x2f\xfd", all},
		"Go stdout exporters":                  {"formats/stdout.jsonl", `{"Resource":[`, "connection_refused: 3"},
		"Go stdout exporters, pretty":          {"formats/stdout-pretty.json", "\t\"SpanContext\"", "connection_refused: 3"},
		"an all-zero root parent":              {"formats/stdout.jsonl", `"Parent":{"TraceID":"00000000000000000000000000000000"`, "connection_refused: 3"},
		"metric data without its type's name":  {"formats/stdout.jsonl", `"Data":{"DataPoints":[`, "connection_refused: 3"},
		"attributes that are null":             {"formats/stdout.jsonl", `"Attributes":null`, "connection_refused: 3"},
		"Prometheus text":                      {"formats/prometheus-UnderscoreEscapingWithSuffixes.txt", "otelretry_requests_total{", `"requests": 40,`},
		"names without suffixes":               {"formats/prometheus-UnderscoreEscapingWithoutSuffixes.txt", "otelretry_requests{", `"requests": 40,`},
		"names with dots":                      {"formats/prometheus-NoTranslation.txt", `{"otelretry.requests"`, `"requests": 40,`},
		"names with dots and suffixes":         {"formats/prometheus-NoUTF8EscapingWithSuffixes.txt", `{"otelretry.requests_total"`, `"requests": 40,`},
		"OpenMetrics":                          {"formats/openmetrics.txt", "# EOF", `"requests": 40,`},
		"Jaeger JSON":                          {"formats/jaeger.json", `"traceID"`, `"requests": 6,`},
		"Tempo JSON, its ids in base64":        {"reports/tempo-5437.json", `"batches"`, `"requests": 2,`},
		"ids in base64 of hex":                 {"reports/opentelemetry-swift-537.json", `"traceId":"MDEw`, `"requests": 2,`},
		"ids that are empty":                   {"reports/jaeger-5293.jsonl", `"traceId":""`, `"requests": 2,`},
		"64-bit integers as strings":           {"reports/langfuse-14068.jsonl", `"asInt":"`, all},
		"64-bit integers as numbers":           {"formats/otlp-other-spelling.jsonl", `"timeUnixNano":1`, all},
		"enums as names":                       {"formats/otlp-other-spelling.jsonl", `"AGGREGATION_TEMPORALITY_DELTA"`, all},
		"unknown fields":                       {"formats/otlp-other-spelling.jsonl", `"fieldOfTheFuture"`, all},
		"fields in another order":              {"formats/otlp-other-spelling.jsonl", `{"resourceMetrics":[{"scopeMetrics"`, all},
		"instrumentationLibrary":               {"reports/collector-1899.json", `"instrumentationLibrarySpans"`, `"requests": 2,`},
		"documents over several lines":         {"reports/contrib-40623.json", "{\n  \"resourceMetrics\"", all},
		"a rotated set":                        {"reports/contrib-22747/telemetry-2026-01-01T00-00-15.json", "{", "2 files"},
		"a truncated last line":                {"reports/contrib-22747/telemetry-2026-01-01T00-00-15.json", "{", "1 x truncated JSON"},
		"NULs before the first line":           {"reports/contrib-34832.jsonl", "\x00\x00\x00\x00", all},
		"delta temporality":                    {"reports/opentelemetry-demo-1494.jsonl", `"aggregationTemporality":1`, all},
		"cumulative temporality":               {"reports/contrib-37717.jsonl", `"aggregationTemporality":2`, `"requests": 225,`},
		"a reset by a fall in value":           {"reports/contrib-37717.jsonl", `"startTimeUnixNano":"`, `"requests": 225,`},
		"a start that equals the time":         {"reports/unknown-start.jsonl", `"startTimeUnixNano":"`, `"requests": 100,`},
		"a reset that begins at a start":       {"reports/specification-4184.jsonl", `"startTimeUnixNano":"`, all},
		"the first increment":                  {"reports/prometheus-3886.jsonl", `"asInt":"`, "first_attempt_success: 99"},
		"points without a recorded value":      {"reports/no-recorded-value.jsonl", `"flags":1`, "8 x point marked as having no recorded value"},
		"explicit histograms":                  {"reports/histograms.jsonl", `"explicitBounds"`, "812ms"},
		"exponential histograms that rescale":  {"reports/exponential-rescaled.jsonl", `"scale":`, "467ms"},
		"two writers, cumulative":              {"reports/two-writers-cumulative.jsonl", `"aggregationTemporality":2`, "two writers of one identity"},
		"two writers, delta":                   {"reports/two-writers-delta.jsonl", `"aggregationTemporality":1`, "two writers of one identity"},
		"an overflow point":                    {"reports/overflow.jsonl", `"otel.metric.overflow"`, "_OTHER"},
		"metrics and spans that do not agree":  {"reports/disagreement.jsonl", `"resourceSpans"`, "the metrics decide"},
		"gRPC's retries (A66, A96)":            {"dialects/grpc.jsonl", "grpc.client.attempt.duration", "exit code 0"},
		"the retries of AWS SDK for Go v2":     {"dialects/aws-sdk-go-v2.jsonl", "client.call.attempts", "exit code 0"},
		"Envoy's retries":                      {"dialects/envoy.prom", "envoy_cluster_upstream_rq_retry", "exit code 0"},
		"Resilience4j's retries":               {"dialects/resilience4j.prom", "resilience4j_retry_calls", "exit code 0"},
		"Polly's retries":                      {"dialects/polly.jsonl", "resilience.polly", "exit code 0"},
		"Linkerd's retries":                    {"dialects/linkerd.prom", "route_actual_response_total", "exit code 0"},
		"Failsafe's retries":                   {"dialects/otel-java-failsafe.jsonl", "failsafe.retry_policy", "exit code 0"},
		"HTTP client spans with resend counts": {"dialects/http-client-spans.jsonl", "http.request.resend_count", "exit code 0"},
	} {
		t.Run(quirk, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../testdata/telemetry", tt.fixture))
			require.NoError(t, err)
			assert.Contains(t, string(data), tt.has)
			name := tt.fixture
			if dir := filepath.Dir(name); dir != "reports" && dir != "formats" && dir != "dialects" {
				name = dir // a rotated set is one fixture
			}
			golden, err := os.ReadFile(filepath.Join("../../testdata/telemetry/golden", strings.ReplaceAll(name, "/", "-")+".txt"))
			require.NoError(t, err)
			assert.Contains(t, string(golden), tt.shown)
		})
	}
}
