package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"

	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/examples/internal/memhttp"
)

// retrystat finds in the file what the server saw.
func TestRetrystatReadsTheRecording(t *testing.T) {
	dir := t.TempDir()
	retrystat := filepath.Join(dir, "retrystat")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", retrystat, "./cmd/retrystat")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	traces, metrics := otel.GetTracerProvider(), otel.GetMeterProvider()
	t.Cleanup(func() {
		otel.SetTracerProvider(traces)
		otel.SetMeterProvider(metrics)
	})
	name := filepath.Join(dir, "telemetry.json")
	file, err := os.Create(name)
	require.NoError(t, err)
	attempts := 0
	synctest.Test(t, func(t *testing.T) {
		flaky, _, err := flakyserver.NewStandard(1, 3*time.Second, 0.3)
		require.NoError(t, err)
		t.Cleanup(flaky.Close)
		client := memhttp.Serve(t, flaky)
		stop, err := record(file)
		require.NoError(t, err)
		require.NoError(t, work(t.Context(), client.Transport, memhttp.URL+"/sometimes/"))
		require.NoError(t, stop(t.Context()))
		for _, s := range flaky.Stats() {
			attempts += s.Attempts
		}
	})
	require.NoError(t, file.Close())

	report := exec.CommandContext(t.Context(), retrystat, "report", "--format", "json", name)
	var stderr bytes.Buffer
	report.Stderr = &stderr
	printed, err := report.Output()
	require.NoError(t, err, stderr.String())
	var got struct {
		Total struct{ Requests, Attempts int }
		Input struct{ Skipped []any }
	}
	require.NoError(t, json.Unmarshal(printed, &got))
	assert.Equal(t, 100, got.Total.Requests)
	assert.Equal(t, attempts, got.Total.Attempts)
	assert.Greater(t, attempts, 120)
	assert.Empty(t, got.Input.Skipped)
}
