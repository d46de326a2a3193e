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

	"github.com/retrykit/retrykit/examples/internal/memhttp"
	"github.com/retrykit/retrykit/examples/otlpfile"
)

// What retrystat makes of the telemetry must be what the dependencies saw, who
// know nothing of telemetry.
func TestTheReportAgreesWithTheDependencies(t *testing.T) {
	dir := t.TempDir()
	retrystat := filepath.Join(dir, "retrystat")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", retrystat, "./cmd/retrystat")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	file, err := os.Create(filepath.Join(dir, "checkout.jsonl"))
	require.NoError(t, err)
	defer file.Close()
	var seen truth
	synctest.Test(t, func(t *testing.T) {
		flaky, ledger, err := dependencies(1)
		require.NoError(t, err)
		client := memhttp.Serve(t, flaky)
		t.Cleanup(flaky.Close)
		collector := memhttp.Serve(t, otlpfile.NewHandler(file))
		done, err := recorded(t.Context(), memhttp.URL, client, memhttp.URL, collector, 400, 50*time.Millisecond)
		require.NoError(t, err)
		seen = truth{done, flaky.Stats(), ledger.Receipts()}
	})
	require.NoError(t, file.Close())

	report := exec.CommandContext(t.Context(), retrystat, "report", "--format", "json", file.Name())
	var stderr bytes.Buffer
	report.Stderr = &stderr
	printed, err := report.Output()
	require.NoError(t, err, stderr.String())
	var got struct {
		Operations []struct {
			Dependency, Operation string
			Requests              int            `json:"requests"`
			Attempts              int            `json:"attempts"`
			FirstAttemptSuccess   float64        `json:"first_attempt_success"`
			EventualSuccess       float64        `json:"eventual_success"`
			Outcomes              map[string]int `json:"outcomes"`
			Replays               int            `json:"idempotency_replays"`
		}
		Input struct{ Skipped []any }
	}
	require.NoError(t, json.Unmarshal(printed, &got))
	assert.Empty(t, got.Input.Skipped)

	routeOf := map[string]string{
		"customers look_up": "GET /customers/{id}",
		"inventory reserve": "PUT /stock/{id}",
		"shipping quote":    "GET /quotes/{id}",
		"payments charge":   "POST /charges",
	}
	require.Len(t, got.Operations, len(routeOf))
	require.Len(t, seen.routes, len(routeOf))
	for _, op := range got.Operations {
		name := op.Dependency + " " + op.Operation
		for _, route := range seen.routes {
			if route.Route != routeOf[name] {
				continue
			}
			delete(routeOf, name)
			requests := float64(route.Requests)
			assert.Equal(t, route.Requests, op.Requests, name)
			assert.Equal(t, route.Attempts, op.Attempts, name)
			assert.InDelta(t, float64(route.FirstAttemptSuccesses)/requests, op.FirstAttemptSuccess, 1e-9, name)
			assert.InDelta(t, float64(route.Successes)/requests, op.EventualSuccess, 1e-9, name)
			if name == "payments charge" {
				assert.Equal(t, len(seen.receipts), len(seen.checkouts.receipts), "one charge for each order that was paid for")
				assert.Equal(t, route.ByStatus[0], op.Replays, "every lost answer was found again")
				assert.Equal(t, seen.checkouts.failures["payments charge: attempts_exhausted"], op.Outcomes["attempts_exhausted"], name)
			}
			if name == "inventory reserve" {
				assert.Equal(t, seen.checkouts.failures["inventory reserve: pushback"], op.Outcomes["pushback"], name)
			}
		}
	}
	assert.Empty(t, routeOf, "each operation has its route")
}
