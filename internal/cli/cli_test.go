package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// run runs the command line and returns its exit code and output.
func run(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs})
	return code, out.String(), errs.String()
}

func generated(t *testing.T, c telemetrygen.Config) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := telemetrygen.Generate(c, func(e *telemetrygen.Export) error {
		b.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
		b.Write(e.SpansJSON(telemetrygen.JSONOptions{}))
		return nil
	})
	require.NoError(t, err)
	return b.Bytes()
}

func TestReportBadInput(t *testing.T) {
	dir := t.TempDir()
	good := generated(t, telemetrygen.Config{})
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	tests := map[string]struct {
		args []string
		want string
		code int
	}{
		"empty":        {[]string{write("empty", nil)}, "empty: nothing to read", 2},
		"a mark":       {[]string{write("mark", []byte("\ufeff\r\n"))}, "a byte order mark is all there is in it: nothing to read", 2},
		"white space":  {[]string{write("blank", []byte(" \n\n"))}, "nothing to read", 2},
		"NULs":         {[]string{write("nul", make([]byte, 100))}, "no telemetry in it", 2},
		"many NULs":    {[]string{write("nuls", make([]byte, 10000))}, "no telemetry in it", 2},
		"cut short":    {[]string{write("short", good[:500])}, "retrystat: truncated JSON at " + filepath.Join(dir, "short") + ":1: no telemetry", 2},
		"other JSON":   {[]string{write("json", []byte(`{"a":1}`))}, "JSON that is not telemetry", 2},
		"text":         {[]string{write("text", []byte("hello\nworld\n"))}, "no telemetry in it", 2},
		"binary":       {[]string{write("bin", []byte{7, 0, 1, 0xff, 0xfe})}, "no telemetry in it", 2},
		"missing":      {[]string{filepath.Join(dir, "missing")}, "no such file", 2},
		"no argument":  {nil, "nothing to read", 2},
		"format":       {[]string{"-f", "yaml", write("good", good)}, `unknown --format "yaml"`, 2},
		"since":        {[]string{"--since", "yesterday", write("good", good)}, "--since", 2},
		"cut gzip":     {[]string{write("cut.gz", []byte("\x1f\x8b\x08"))}, "cut.gz: gzip data that ends before anything of it can be read", 2},
		"cut zstd":     {[]string{write("cut.zst", []byte("\x28\xb5\x2f\xfd\x04"))}, "cut.zst: zstd data that ends before anything of it can be read", 2},
		"last line":    {[]string{write("tail", good[:len(good)-100])}, "", 0},
		"strict":       {[]string{"--strict", write("tail", good[:len(good)-100])}, "skipped 1 x truncated JSON", 2},
		"good and bad": {[]string{write("good", good), write("text", []byte("hello\n"))}, "no telemetry in it", 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := run(t, "", append([]string{"report"}, tt.args...)...)
			assert.Equal(t, tt.code, code)
			assert.Contains(t, stderr, tt.want)
		})
	}
}

// A directory without any telemetry is an error that says what is in it.
func TestDirectoriesWithoutTelemetry(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := run(t, "", "report", dir)
	assert.Equal(t, 2, code)
	assert.Equal(t, "retrystat: "+dir+": no files in this directory\n", stderr)
	for name, data := range map[string]string{"readme.txt": "hello\n", "empty": "", "new.gz": "\x1f\x8b"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
	}
	code, _, stderr = run(t, "", "report", dir)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "retrystat: no metrics and no spans in "+dir+"\n")
	assert.Contains(t, stderr, "retrystat: skipped 1 x file that is not telemetry, first at "+filepath.Join(dir, "readme.txt")+"\n")
	assert.Contains(t, stderr, "retrystat: skipped 1 x empty file, first at "+filepath.Join(dir, "empty")+"\n")
	assert.Contains(t, stderr, "retrystat: skipped 1 x compressed file that ends before anything of it can be read, first at "+filepath.Join(dir, "new.gz")+"\n")
}

func TestReportSaysWhatWasSkipped(t *testing.T) {
	good := generated(t, telemetrygen.Config{})
	lines := bytes.SplitAfter(good, []byte("\n"))
	data := bytes.Join([][]byte{lines[0], []byte("oops\n"), []byte("{\"a\":1}\n"), lines[1], []byte("also not\n"), lines[2][:50]}, nil)
	code, stdout, _ := run(t, string(data), "report", "-")
	assert.Equal(t, 0, code)
	assert.Contains(t, stdout, "skipped: 2 x line that is not JSON, first at standard input:2")
	assert.Contains(t, stdout, "skipped: 1 x JSON that is not telemetry, first at standard input:3")
	assert.Contains(t, stdout, "skipped: 1 x truncated JSON, first at standard input:6")
}

// Numbers that no counter has would make others of them, or none at all: JSON
// has no infinity.
func TestImplausibleNumbersAreLeftOut(t *testing.T) {
	good := generated(t, telemetrygen.Config{NoSpans: true})
	_, want, _ := run(t, string(good), "report", "-f", "json", "-")
	for name, value := range map[string]string{
		"negative": `"asInt":"-5"`, "infinite": `"asDouble":"Infinity"`, "huge": `"asDouble":1e308`, "no number": `"asDouble":"NaN"`,
	} {
		t.Run(name, func(t *testing.T) {
			bad := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.requests","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[` +
				`{"attributes":[{"key":"retry.dependency","value":{"stringValue":"dependency-0"}},{"key":"retry.operation","value":{"stringValue":"operation-0"}},` +
				`{"key":"retry.outcome","value":{"stringValue":"first_attempt_success"}}],"startTimeUnixNano":"1767225600000000000","timeUnixNano":"1767225610000000000",` + value + `}]}},` +
				`{"name":"otelretry.request.duration","histogram":{"aggregationTemporality":2,"dataPoints":[{"startTimeUnixNano":"1767225600000000000","timeUnixNano":"1767225610000000000","count":"1","sum":1e300}]}}]}]}]}` + "\n"
			code, stdout, stderr := run(t, string(good)+bad, "report", "-f", "json", "-")
			require.Equal(t, 0, code, stderr)
			var got, expected map[string]any
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			require.NoError(t, json.Unmarshal([]byte(want), &expected))
			assert.Equal(t, expected["operations"], got["operations"])
			assert.Len(t, got["input"].(map[string]any)["skipped"], 2)
		})
	}
}

// A link to a directory is gone into, and hidden files are not.
func TestLinkedDirectory(t *testing.T) {
	dir := t.TempDir()
	good := generated(t, telemetrygen.Config{})
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "day", ".hidden"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "day", "a.jsonl"), good, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "day", ".hidden", "a.jsonl"), good, 0o600))
	link := filepath.Join(dir, "today")
	if err := os.Symlink("day", link); err != nil {
		require.ErrorContains(t, err, "privilege") // Windows, without developer mode
		return
	}
	code, stdout, stderr := run(t, "", "report", link)
	assert.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, ": 1 file")
}

func TestReportJSON(t *testing.T) {
	code, stdout, stderr := run(t, string(generated(t, telemetrygen.Config{NoSpans: true})), "report", "-f", "json", "-")
	require.Equal(t, 0, code, stderr)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	assert.EqualValues(t, 1, got["schema_version"])
	ops := got["operations"].([]any)
	require.Len(t, ops, 2)
	first := ops[0].(map[string]any)
	var keys []string
	for k := range first {
		keys = append(keys, k)
	}
	assert.ElementsMatch(t, []string{
		"dependency", "operation", "call_site", "requests", "attempts", "attempts_per_request",
		"first_attempt_success", "first_attempt_success_interval", "eventual_success", "outcomes", "retries_by_class",
		"retry_success_by_class", "added_latency_seconds", "request_duration_seconds", "deadline_exhaustions",
		"budget_rejections", "idempotency_replays",
	}, keys)
	assert.Nil(t, first["call_site"], "metrics have none")
}

func TestInterruptedReportsWhatWasRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	good := generated(t, telemetrygen.Config{Requests: 5000})
	var out, errs bytes.Buffer
	code := cli.Main(ctx, []string{"report", "-"}, cli.Env{Stdin: &interrupting{data: good, cancel: cancel}, Stdout: &out, Stderr: &errs})
	assert.Equal(t, 2, code)
	assert.Contains(t, errs.String(), "interrupted")
	assert.Contains(t, out.String(), "dependency-0")
}

// Part of a recording is not compared with another.
func TestInterruptedComparesNothing(t *testing.T) {
	good := generated(t, telemetrygen.Config{})
	path := filepath.Join(t.TempDir(), "whole.jsonl")
	require.NoError(t, os.WriteFile(path, good, 0o600))
	for _, args := range [][]string{{"diff", "-", path}, {"diff", path, "-"}} {
		ctx, cancel := context.WithCancel(t.Context())
		var out, errs bytes.Buffer
		code := cli.Main(ctx, args, cli.Env{Stdin: &interrupting{data: good, cancel: cancel}, Stdout: &out, Stderr: &errs})
		assert.Equal(t, 2, code)
		assert.Equal(t, "retrystat: interrupted while reading -: nothing was compared\n", errs.String())
		assert.Empty(t, out.String())
	}
}

// interrupting hands over all its data and interrupts when more is wanted.
type interrupting struct {
	data   []byte
	cancel func()
}

func (r *interrupting) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		r.cancel()
		select {}
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}
