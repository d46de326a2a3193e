package live_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheAlertDemo runs what make alert-demo runs: with the fault alerts fire
// and resolve, without it none fires. The program itself fails when not.
func TestTheAlertDemo(t *testing.T) {
	t.Parallel()
	program(t, "prometheus")
	bin := t.TempDir()
	for name, args := range map[string][]string{
		"retrystat": {"build", "-o", bin, "github.com/retrykit/retrykit/cmd/retrystat"},
		"alerting":  {"build", "-o", bin, "github.com/retrykit/retrykit/examples/alerting"},
	} {
		out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
	for name, tt := range map[string]struct {
		fault        string
		want, absent string
	}{
		"fault":    {"-fault=true", "every alert that fired has resolved", ""},
		"no fault": {"-fault=false", "nothing fired, as nothing failed", "FIRING"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "alerting"),
				"-retrystat", filepath.Join(bin, "retrystat"), tt.fault).CombinedOutput()
			require.NoError(t, err, "%s", out)
			assert.Contains(t, string(out), tt.want)
			if tt.absent != "" {
				assert.NotContains(t, string(out), tt.absent)
			}
		})
	}
}
