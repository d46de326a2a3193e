package golangci_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGolangciLint builds golangci-lint with the plugin and runs it, with
// settings, over a module with faults. The build takes minutes the first time.
func TestGolangciLint(t *testing.T) {
	if os.Getenv("RETRYKIT_REQUIRE_E2E") != "1" {
		t.Skip("set RETRYKIT_REQUIRE_E2E=1 to build golangci-lint, which takes minutes")
	}
	binary := filepath.Join(t.TempDir(), "golangci-lint")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = "e2e"
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	vettool := filepath.Join(t.TempDir(), "retrylint")
	out, err = exec.Command("go", "build", "-o", vettool, "github.com/retrykit/retrykit/cmd/retrylint").CombinedOutput()
	require.NoError(t, err, "%s", out)

	module := filepath.Join("testdata", "shop")
	lint := func(t *testing.T, config string) []string {
		cmd := exec.Command(binary, "run", "--config", config, "--output.json.path=stdout", "--show-stats=false", "./...")
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+t.TempDir())
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil {
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 1, exit.ExitCode(), "%s%s", out, exit.Stderr)
		}
		var report struct {
			Issues []struct {
				FromLinter, Text string
				Pos              struct {
					Filename     string
					Line, Column int
				}
			}
		}
		require.NoError(t, json.Unmarshal(out, &report), "%s", out)
		var found []string
		for _, issue := range report.Issues {
			assert.Equal(t, "retrylint", issue.FromLinter)
			found = append(found, strings.Join([]string{issue.Pos.Filename, issue.Text}, ": "))
		}
		slices.Sort(found)
		return found
	}

	t.Run("the same findings as from go vet", func(t *testing.T) {
		cmd := exec.Command("go", "vet", "-vettool="+vettool, "./...")
		cmd.Dir = module
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		var want []string
		for line := range strings.Lines(string(out)) {
			// file:line:column: message; what explains a finding begins with a tab
			if m := regexp.MustCompile(`^(\S+\.go):\d+:\d+: ([^\t].*)\n`).FindStringSubmatch(line); m != nil {
				want = append(want, strings.TrimPrefix(m[1], "./")+": "+m[2])
			}
		}
		slices.Sort(want)
		require.NotEmpty(t, want)
		var got []string
		for _, text := range lint(t, "default.yml") {
			got = append(got, checkName.ReplaceAllString(text, ": "))
		}
		assert.ElementsMatch(t, want, got)
	})

	t.Run("settings reach the checks", func(t *testing.T) {
		for _, text := range lint(t, "settings.yml") {
			assert.NotContains(t, text, "bareretry:")
		}
		assert.NotEmpty(t, lint(t, "settings.yml"))
	})
}

// checkName is what golangci-lint puts before the text of a finding.
var checkName = regexp.MustCompile(`: [a-z]+: `)
