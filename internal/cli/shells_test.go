package cli_test

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShells asks the shells themselves what they offer, each in the words of
// the script of its name under testdata/shells.
func TestShells(t *testing.T) {
	missing := func(what string) {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatalf("%s is required", what)
		}
		t.Skipf("%s is not installed", what)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if _, err := exec.LookPath(shell); err != nil {
			missing(shell)
		}
	}
	if _, err := os.Stat("/usr/share/bash-completion/bash_completion"); err != nil {
		missing("bash-completion")
	}
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../cmd/retrystat").CombinedOutput()
	require.NoError(t, err, "%s", out)
	scripts, err := filepath.Abs("testdata/shells")
	require.NoError(t, err)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.jsonl", "b.prom", "c.md", "d.yaml", "dir/x"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	const telemetry, all = "a.jsonl b.prom dir", "a.jsonl b.prom c.md d.yaml dir"
	for line, want := range map[string]struct{ offered, bash, fish string }{
		"retrystat re":                                  {offered: "report"},
		"retrystat help ru":                             {offered: "rules"},
		"retrystat completion ":                         {offered: "bash fish powershell zsh"},
		"retrystat report --fo":                         {offered: "--format"},
		"retrystat report --format ":                    {offered: "csv html json markdown table wide"},
		"retrystat report -f j":                         {offered: "json"},
		"retrystat report --format=j":                   {offered: "json", fish: "--format=json"},
		"retrystat check --threshold att":               {offered: "attempts attempts_exhausted_share attempts_per_request"},
		"retrystat rules --severity p":                  {offered: "page="},
		"retrystat rules --off RetryI":                  {offered: "RetryIneffective"},
		"retrystat rules --off RetryIneffective,RetryM": {offered: "RetryIneffective,RetryMaskedFailure", bash: `RetryIneffective\,RetryMaskedFailure`},
		"retrystat rules ":                              {offered: ""},
		// fish has no way to offer files of some kinds alone.
		"retrystat report ":            {offered: telemetry, fish: all},
		"retrystat diff a.jsonl ":      {offered: telemetry, fish: all},
		"retrystat rules --config ":    {offered: "d.yaml dir", fish: all},
		"retrystat dashboard --mixin ": {offered: "dir", fish: all},
		// Any file is for bash itself to offer, and colons end its words.
		"retrystat report --bearer-token-file ":        {offered: all, bash: " "},
		"retrystat check -t payments/charge:attempts_": {offered: "payments/charge:attempts_exhausted_share payments/charge:attempts_per_request", bash: "attempts_exhausted_share attempts_per_request"},
	} {
		for _, shell := range []string{"bash", "zsh", "fish"} {
			t.Run(shell+": "+line, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				var quiet []string // of what users set for themselves
				switch shell {
				case "bash":
					quiet = []string{"--norc", "--noprofile"}
				case "zsh":
					quiet = []string{"-f"}
				case "fish":
					quiet = []string{"--no-config"}
				}
				cmd := exec.CommandContext(ctx, shell, append(quiet, filepath.Join(scripts, shell), line)...)
				var said strings.Builder
				cmd.Stderr = &said
				out, err := cmd.Output()
				require.NoError(t, err, said.String())
				assert.Empty(t, said.String())
				got := strings.Fields(string(out))
				for i := range got {
					got[i] = strings.TrimSuffix(got[i], "/")
				}
				slices.Sort(got)
				wanted := cmp.Or(map[string]string{"bash": want.bash, "fish": want.fish}[shell], want.offered)
				assert.Equal(t, strings.TrimSpace(wanted), strings.Join(slices.Compact(got), " "))
			})
		}
	}
}
