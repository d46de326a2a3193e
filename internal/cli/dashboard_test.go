package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDashboard(t *testing.T) {
	for format, want := range map[string]string{"grafana": "schemaVersion", "perses": "kind"} {
		t.Run(format, func(t *testing.T) {
			code, stdout, stderr := run(t, "", "dashboard", "--format", format, "--selector", `job="checkout"`)
			require.Equal(t, 0, code, stderr)
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			assert.Contains(t, got, want)
			assert.Contains(t, stdout, `job=\"checkout\"`)

			path := filepath.Join(t.TempDir(), "dashboard.json")
			code, toFile, stderr := run(t, "", "dashboard", "--format", format, "--selector", `job="checkout"`, "-o", path)
			require.Equal(t, 0, code, stderr)
			assert.Empty(t, toFile)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, stdout, string(data))
		})
	}
}

func TestDashboardBadInput(t *testing.T) {
	for args, want := range map[string]string{
		"--format html":                  `unknown --format "html"`,
		"--format perses --project a/b":  `project "a/b"`,
		"--mixin x --output y":           "neither --output nor --format",
		"--project shop":                 "--project goes with --format perses",
		"extra":                          "dashboard takes no arguments",
		"--selector job":                 `selector "job"`,
		"--mixin /dev/null/x":            "not a directory",
		"--attempts-page 2":              "unknown flag",
		"--naming dots":                  "--naming",
		"--operation payments":           "DEPENDENCY/OPERATION",
		"--time-scale -1":                "--time-scale",
		"--config /nonexistent/settings": "no such file",
	} {
		code, stdout, stderr := run(t, "", append([]string{"dashboard"}, strings.Fields(args)...)...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, stderr, want, args)
		assert.Empty(t, stdout, args)
	}
}

func TestDashboardMixin(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := run(t, "", "dashboard", "--mixin", dir)
	require.Equal(t, 0, code, stderr)
	for _, path := range []string{"rules.yaml", "alerts.yaml", "tests.yaml", "mixin.libsonnet", "dashboards/grafana.json", "dashboards/perses.json"} {
		assert.FileExists(t, filepath.Join(dir, path))
	}
}
