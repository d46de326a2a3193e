package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// A window with more in it than is kept is right all the same.
func TestAWindowThatIsTooMuchToKeep(t *testing.T) {
	var data bytes.Buffer
	_, err := telemetrygen.Generate(telemetrygen.Config{Requests: 500, Start: time.Now().Add(-time.Hour)}, func(e *telemetrygen.Export) error {
		data.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
		return nil
	})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "telemetry.jsonl")
	require.NoError(t, os.WriteFile(path, data.Bytes(), 0o600))
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	var source sourceFlags
	source.register(cmd)
	require.NoError(t, cmd.ParseFlags([]string{"--since", "24h"}))
	ample := &watcher{source: &source, args: []string{path}, most: mostKept}
	want, err := ample.read(cmd)
	require.NoError(t, err)
	little := &watcher{source: &source, args: []string{path}, most: 1000}
	for range 2 {
		got, err := little.read(cmd)
		require.NoError(t, err)
		assert.Equal(t, want.Total, got.Total)
		assert.Equal(t, want.Input, got.Input)
	}
	assert.False(t, ample.tooMuch)
	assert.True(t, little.tooMuch)
}
