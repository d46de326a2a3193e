package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func TestProgressLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.jsonl")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("{\"resourceLogs\":[]}\n"), 100_000), 0o600))
	var p reader.Progress
	b := figures.NewBuilder(figures.Options{})
	require.NoError(t, reader.Read(t.Context(), []string{path}, b, reader.Options{
		Progress: &p, Registry: telemetry.NewRegistry(dialect.Catalog(), 0),
	}))
	assert.Equal(t, "read 2.0 MB at 1 MB/s, 100 %, 0s left", progressLine(&p, 2*time.Second))
	assert.Equal(t, "read 0.0 MB at 0 MB/s", progressLine(&reader.Progress{}, time.Second))
}

func TestProgressIsForTerminalsOnly(t *testing.T) {
	var errs bytes.Buffer
	stop := showProgress(Env{Stderr: &errs, Terminal: func(io.Writer) bool { return false }}, &reader.Progress{})
	stop()
	assert.Empty(t, errs.String())
}
