package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

func TestRulesBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	tests := map[string]struct {
		args string
		want string
	}{
		"format":            {"--format json", `unknown --format "json"`},
		"tests to stdout":   {"--tests", "name the first with --output"},
		"tests of a object": {"--tests -o x.yaml --format prometheusrule", "promtool reads nothing else"},
		"naming":            {"--naming dots", `--naming: unknown name translation "dots"`},
		"window":            {"--window 5", "it must be a duration such as 30s, 5m or 1d"},
		"threshold":         {"--attempts-page many", "it must be a number"},
		"order":             {"--attempts-page 1.05", "it must be more than attempts_ticket"},
		"objective":         {"--first-attempt-success 99", "first_attempt_success is 99"},
		"off":               {"--off Everything", `there is no alert "Everything"`},
		"severity":          {"--severity high=critical", `there is no severity "high"`},
		"operation":         {"--operation charge", "write it as DEPENDENCY/OPERATION"},
		"time scale":        {"--time-scale 0", "--time-scale: time scale 0"},
		"no config":         {"--config " + filepath.Join(dir, "none"), "no such file"},
		"bad config":        {"--config " + file("bad.yaml", "atempts: 1"), "bad.yaml: read settings"},
		"from and server":   {"--from a --prometheus http://localhost:1", "exclude each other"},
		"from nothing":      {"--from " + file("text", "hello\n"), "no telemetry in it"},
		"unreachable":       {"--prometheus http://127.0.0.1:1", "connection refused"},
		"bad URL":           {"--prometheus :x", "the Prometheus URL"},
		"unwritable":        {"-o " + file("plain", "") + "/rules.yaml", "not a directory"},
		"argument":          {"now", "takes no arguments"},
		"no server":         {"--bearer-token-file x", "--bearer-token-file goes with --prometheus"},
		"no server, TLS":    {"--tls-insecure", "--tls-insecure goes with --prometheus"},
		"no server, time":   {"--lookback 5m", "--lookback goes with --prometheus"},
		"no server, keep":   {"--no-proposals", "--no-proposals goes with --prometheus"},
		"lookback":          {"--prometheus http://127.0.0.1:1 --lookback 0s", "--lookback 0s must be 1ms or more"},
		"timeout":           {"--prometheus http://127.0.0.1:1 --timeout 0s", "--timeout 0s must be more than 0"},
		"object":            {"--namespace monitoring", "--namespace goes with --format prometheusrule"},
		"by":                {"--by a;b", `by "a;b": name a label`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, "", append([]string{"rules"}, strings.Fields(tt.args)...)...)
			assert.Equal(t, 2, code)
			assert.Contains(t, stderr, tt.want)
			assert.Empty(t, stdout)
		})
	}
}

func TestRulesSettingsComeFromFileThenFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	require.NoError(t, os.WriteFile(path, []byte("window: 10m\nthresholds: {attempts_ticket: 1.07, attempts_page: 1.5}\n"+
		"operations: [{dependency: payments, operation: charge, attempts_page: 3}]\n"), 0o600))
	code, stdout, stderr := run(t, "", "rules", "-c", path, "--attempts-page", "1.8", "--operation", "payments/charge", "--time-scale", "0.1",
		"--selector", `job="checkout"`, "--severity", "page=critical", "--label", "team=payments", "-f", "settings")
	require.Equal(t, 0, code, stderr)
	var got map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(stdout), &got))
	assert.Equal(t, "1m", got["window"])
	assert.Equal(t, []any{`job="checkout"`}, got["selectors"])
	assert.Equal(t, 1.07, got["thresholds"].(map[string]any)["attempts_ticket"])
	assert.Equal(t, 1.8, got["thresholds"].(map[string]any)["attempts_page"])
	assert.Equal(t, []any{map[string]any{"dependency": "payments", "operation": "charge", "attempts_page": 3}}, got["operations"])
	assert.Equal(t, true, got["only_these_operations"])
	assert.Equal(t, map[string]any{"page": "critical", "ticket": "ticket"}, got["severities"])
	assert.Equal(t, map[string]any{"team": "payments"}, got["labels"])
}

func TestRulesWritesFilesWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on", "the", "way")
	path := filepath.Join(dir, "retry.yaml")
	code, stdout, stderr := run(t, "", "rules", "-o", path, "--tests")
	require.Equal(t, 0, code, stderr)
	assert.Empty(t, stdout)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.Equal(t, []string{"retry.yaml", "retry_test.yaml"}, names, "and no temporary file")
	tests, err := os.ReadFile(filepath.Join(dir, "retry_test.yaml"))
	require.NoError(t, err)
	assert.Contains(t, string(tests), "- retry.yaml", "the tests name their rules")

	before, err := os.ReadFile(path)
	require.NoError(t, err)
	code, _, _ = run(t, "", "rules", "-o", path, "--attempts-page", "1")
	assert.Equal(t, 2, code)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, before, after, "an error changes nothing")
}

func TestRulesFromTelemetrySaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "telemetry.jsonl")
	require.NoError(t, os.WriteFile(path, generated(t, telemetrygen.Config{Requests: 20_000}), 0o600))
	code, stdout, stderr := run(t, "", "rules", "--from", path)
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "# Thresholds proposed from "+path+":")
	assert.Regexp(t, `# - dependency-\d/operation-\d: attempts_ticket .* attempts per request were measured`, stdout)
	assert.NotContains(t, stdout, "not measured", "every figure is in the telemetry")
}

func TestRulesFindTheNamingOut(t *testing.T) {
	tests := map[string]struct {
		names []string
		code  int
		want  string
	}{
		"default":       {[]string{"otelretry_requests_total", "otelretry_request_attempts_count"}, 0, "rate(otelretry_requests_total[5m])"},
		"no suffixes":   {[]string{"otelretry_requests", "otelretry_request_attempts_count"}, 0, "rate(otelretry_requests[5m])"},
		"dots":          {[]string{"otelretry.requests_total", "otelretry.request.attempts_count"}, 0, `rate({"otelretry.requests_total"}[5m])`},
		"untouched":     {[]string{"otelretry.requests", "otelretry.request.attempts_count"}, 0, `rate({"otelretry.requests"}[5m])`},
		"native":        {[]string{"otelretry_requests_total", "otelretry_request_attempts"}, 0, "histogram_avg("},
		"none":          {[]string{"otelretry_something"}, 2, "under any of the four name translations"},
		"several names": {[]string{"otelretry_requests_total", "otelretry.requests"}, 2, "under several name translations"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				query := r.FormValue("query")
				result := ""
				for _, name := range tt.names {
					if strings.Contains(query, "("+name+"[") || strings.Contains(query, `{"`+name+`"}[`) {
						result = `{"metric":{},"value":[1,"1"]}`
					}
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, result)
			}))
			defer server.Close()
			code, stdout, stderr := run(t, "", "rules", "--prometheus", strings.Replace(server.URL, "//", "//me:secret@", 1), "--no-proposals")
			assert.Equal(t, tt.code, code, stderr)
			assert.Contains(t, stdout+stderr, tt.want)
			assert.NotContains(t, stdout+stderr, "secret", "rules are kept where others read them")
		})
	}
}
