package otlpfile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheSDKsExportersWriteLines(t *testing.T) {
	for _, tc := range []struct {
		name          string
		traceOptions  []otlptracehttp.Option
		metricOptions []otlpmetrichttp.Option
	}{
		{"plain", nil, nil},
		{
			"gzip",
			[]otlptracehttp.Option{otlptracehttp.WithCompression(otlptracehttp.GzipCompression)},
			[]otlpmetrichttp.Option{otlpmetrichttp.WithCompression(otlpmetrichttp.GzipCompression)},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var file bytes.Buffer
			server := httptest.NewServer(NewHandler(&file))
			defer server.Close()

			traces, err := otlptracehttp.New(t.Context(), append(tc.traceOptions, otlptracehttp.WithEndpointURL(server.URL+"/v1/traces"))...)
			require.NoError(t, err)
			tracer := sdktrace.NewTracerProvider(sdktrace.WithBatcher(traces))
			_, span := tracer.Tracer("test").Start(t.Context(), "charge")
			span.End()
			require.NoError(t, tracer.Shutdown(t.Context()))

			metrics, err := otlpmetrichttp.New(t.Context(), append(tc.metricOptions, otlpmetrichttp.WithEndpointURL(server.URL+"/v1/metrics"))...)
			require.NoError(t, err)
			meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics)))
			requests, err := meter.Meter("test").Int64Counter("requests")
			require.NoError(t, err)
			requests.Add(t.Context(), 3)
			require.NoError(t, meter.Shutdown(t.Context()))

			lines := strings.Split(strings.TrimSuffix(file.String(), "\n"), "\n")
			require.Len(t, lines, 2)
			var span0 struct {
				ResourceSpans []struct {
					ScopeSpans []struct {
						Spans []struct{ Name, TraceID string }
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(lines[0]), &span0))
			got := span0.ResourceSpans[0].ScopeSpans[0].Spans[0]
			assert.Equal(t, "charge", got.Name)
			assert.Equal(t, span.SpanContext().TraceID().String(), got.TraceID, "ids are in hex")
			var metric struct {
				ResourceMetrics []struct {
					ScopeMetrics []struct {
						Metrics []struct {
							Name string
							Sum  struct{ DataPoints []struct{ AsInt string } }
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(lines[1]), &metric))
			sum := metric.ResourceMetrics[0].ScopeMetrics[0].Metrics[0]
			assert.Equal(t, "requests", sum.Name)
			assert.Equal(t, "3", sum.Sum.DataPoints[0].AsInt)
		})
	}
}

func TestJSONIsTakenToo(t *testing.T) {
	for path, body := range map[string]string{
		"/v1/traces":  `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"charge"}]}]}]}`,
		"/v1/metrics": `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"requests"}]}]}]}`,
	} {
		var file bytes.Buffer
		resp := post(t, NewHandler(&file), path, "application/json; charset=utf-8", "", body)
		assert.Equal(t, http.StatusOK, resp.Code)
		assert.JSONEq(t, "{}", resp.Body.String())
		assert.True(t, strings.HasSuffix(file.String(), "}\n"), file.String())
		assert.Equal(t, 1, strings.Count(file.String(), "\n"))
	}
}

func TestWhatCanNotBeReadIsRefusedAndWritesNothing(t *testing.T) {
	var bomb bytes.Buffer
	packer := gzip.NewWriter(&bomb)
	_, err := io.CopyN(packer, zeros{}, maxBody+1)
	require.NoError(t, err)
	require.NoError(t, packer.Close())

	for _, tc := range []struct {
		name, path, contentType, encoding, body string
		want                                    int
	}{
		{"not protobuf", "/v1/traces", "application/x-protobuf", "", "spans, honestly", 400},
		{"not JSON", "/v1/metrics", "application/json", "", "{", 400},
		{"not gzip", "/v1/traces", "application/json", "gzip", "{}", 400},
		{"another encoding", "/v1/traces", "application/json", "br", "{}", 400},
		{"another type", "/v1/traces", "text/plain", "", "{}", 415},
		{"no type", "/v1/traces", "", "", "{}", 415},
		{"too large once unpacked", "/v1/metrics", "application/json", "gzip", bomb.String(), 413},
		{"another path", "/v1/logs", "application/json", "", "{}", 404},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var file bytes.Buffer
			resp := post(t, NewHandler(&file), tc.path, tc.contentType, tc.encoding, tc.body)
			assert.Equal(t, tc.want, resp.Code, resp.Body.String())
			assert.Empty(t, file.String())
		})
	}
}

func TestAFullDiskIsReported(t *testing.T) {
	resp := post(t, NewHandler(full{}), "/v1/traces", "application/json", "", "{}")
	assert.Equal(t, http.StatusInternalServerError, resp.Code)
	assert.Contains(t, resp.Body.String(), "no space left")
}

func post(t *testing.T, h http.Handler, path, contentType, encoding, body string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if encoding != "" {
		req.Header.Set("Content-Encoding", encoding)
	}
	resp := httptest.NewRecorder()
	h.ServeHTTP(resp, req)
	return resp
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
