package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/rules"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// section is the text of docs/retrystat.md below a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/retrystat.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "there is no heading %q", heading)
	after, _, _ = strings.Cut(after, "\n## ")
	return after
}

// block is the code of one kind in a text.
func block(t *testing.T, text, kind string) string {
	t.Helper()
	_, after, found := strings.Cut(text, "\n```"+kind+"\n")
	require.True(t, found)
	code, _, _ := strings.Cut(after, "\n```")
	return code
}

func TestDocumentedColumns(t *testing.T) {
	text := section(t, "What the columns say")
	for _, format := range []string{"table", "wide"} {
		_, stdout, _ := run(t, string(generated(t, telemetrygen.Config{})), "report", "-f", format, "-")
		titles, _, _ := strings.Cut(stdout, "\n")
		for _, title := range regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(titles), -1) {
			if title != "DEPENDENCY" && title != "OPERATION" {
				assert.Contains(t, text, "`"+title+"`")
			}
		}
	}
}

// keys are the names in a JSON value, with the path to them; what is below the
// free ones is named by the input.
func keys(value any, path string, free ...string) []string {
	var out []string
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			out = append(out, path+name)
			if !slices.Contains(free, name) {
				out = append(out, keys(inner, path+name+".", free...)...)
			}
		}
	case []any:
		for _, inner := range v {
			out = append(out, keys(inner, path, free...)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestDocumentedSummary(t *testing.T) {
	data := append(generated(t, telemetrygen.Config{}), "{\n"...) // something to skip
	_, stdout, _ := run(t, string(data), "report", "--format", "json", "-")
	var got, documented any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.NoError(t, json.Unmarshal([]byte(block(t, section(t, "The summary as JSON"), "json")), &documented))
	free := []string{"outcomes", "retries_by_class", "retry_success_by_class"}
	assert.Equal(t, keys(got, "", free...), keys(documented, "", free...))
}

func TestDocumentedSettings(t *testing.T) {
	text := block(t, section(t, "Settings of rules and dashboards"), "yaml")
	file := filepath.Join(t.TempDir(), "retry.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	code, stdout, stderr := run(t, "", "rules", "--config", file)
	require.Equal(t, 0, code, stderr)
	assert.NotContains(t, stdout, "RetryIneffective")
	assert.Contains(t, stdout, "severity: critical")
	code, _, stderr = run(t, "", "dashboard", "--config", file)
	require.Equal(t, 0, code, stderr)

	// What is a default is the default, and no key is left out.
	var documented, defaults map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(text), &documented))
	_, printed, _ := run(t, "", "rules", "--format", "settings")
	require.NoError(t, yaml.Unmarshal([]byte(printed), &defaults))
	for _, key := range []string{"naming", "window", "thresholds", "for", "runbook_url"} {
		assert.Equal(t, defaults[key], documented[key], key)
	}
	settings := reflect.TypeFor[rules.Settings]()
	for i := range settings.NumField() {
		key, _, _ := strings.Cut(settings.Field(i).Tag.Get("yaml"), ",")
		assert.Contains(t, documented, key)
	}
}
