package cli_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

func TestCompletionAndVersion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, stdout, _ := run(t, "", "completion", shell)
		assert.Equal(t, 0, code)
		assert.Contains(t, stdout, "retrystat")
	}
	for _, args := range [][]string{{"version"}, {"--version"}} {
		code, stdout, _ := run(t, "", args...)
		assert.Equal(t, 0, code)
		assert.True(t, strings.HasPrefix(stdout, "retrystat "))
	}
}

func TestUnknownNames(t *testing.T) {
	const all = "use check, completion, dashboard, diff, report, rules, version, watch"
	for want, args := range map[string][]string{
		`unknown command "nope": ` + all:                                {"nope"},
		`unknown command "reprot": did you mean report?`:                {"reprot", "x.jsonl"},
		`unknown command "topic": ` + all:                               {"help", "topic"},
		`retrystat report has no commands of its own, and got "x"`:      {"help", "report", "x"},
		`unknown shell "tcsh": use bash, fish, powershell, zsh`:         {"completion", "tcsh"},
		`unknown command "tcsh": use bash, fish, powershell, zsh`:       {"help", "completion", "tcsh"},
		"--output is given, and empty":                                  {"rules", "--output", ""},
		"--dependency is given, and empty":                              {"report", "--dependency", "", "x.jsonl"},
		"--match is given, and empty":                                   {"report", "--match=", "x.jsonl"},
		"standard input (-) is named twice, and can be read once only":  {"report", "-", "x.jsonl", "-"},
		"standard input (-) is named twice, and can be read once only ": {"rules", "--from", "-", "--from", "-"},
	} {
		code, stdout, stderr := run(t, "", args...)
		assert.Equal(t, 2, code, args)
		assert.Empty(t, stdout, args)
		assert.Equal(t, "retrystat: "+strings.TrimSpace(want)+"\n", stderr, args)
	}
}

// commands are those that help names.
func commands(t *testing.T) []string {
	t.Helper()
	code, stdout, _ := run(t, "", "help")
	require.Equal(t, 0, code)
	_, list, _ := strings.Cut(stdout, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var out []string
	for line := range strings.Lines(list) {
		out = append(out, strings.Fields(line)[0])
	}
	require.Contains(t, out, "report")
	return out
}

func TestHelp(t *testing.T) {
	_, want, _ := run(t, "", "--help")
	_, got, _ := run(t, "", "help")
	assert.Equal(t, want, got)
	assert.Contains(t, got, "--version")
	for _, name := range commands(t) {
		code, want, _ := run(t, "", name, "--help")
		assert.Equal(t, 0, code, name)
		code, got, _ := run(t, "", "help", name)
		assert.Equal(t, 0, code, name)
		assert.Equal(t, want, got)
		assert.NotRegexp(t, `\(default (\[\])?\)`, got)
		about, flags, _ := strings.Cut(got, "\nUsage:\n")
		for line := range strings.Lines(about) {
			if !strings.HasPrefix(line, "  ") { // prose
				assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, "%s: %s", name, line)
			}
		}
		assert.NotRegexp(t, `--[\w-]+ (string|float|int|uint)\b`, flags, "%s: a type where others have a word", name)
	}
}

// What can't be written is an error, of help as of anything else.
func TestOutputThatCantBeWritten(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	full := errors.New("no space left")
	for _, args := range [][]string{
		{"--help"}, {"help"}, {"help", "rules"}, {"report", "--help"}, {"--version"}, {"version"}, {"completion"}, {"completion", "zsh"},
		{"report", path}, {"report", "-f", "csv", path}, {"check", "-t", "requests>0", path}, {"diff", path, path}, {"rules"}, {"dashboard"},
	} {
		var stderr bytes.Buffer
		code := cli.Main(t.Context(), args, cli.Env{Stdout: failing{full}, Stderr: &stderr})
		assert.Equal(t, 2, code, args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "no space left"), "%s: %s", args, stderr.String())
	}
}

// Every flag that takes a value has a completion, if only to offer no files.
func TestEveryFlagHasACompletion(t *testing.T) {
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, |    )--([\w-]+) ([^ ]+) `)
	n := 0
	for _, name := range commands(t) {
		_, help, _ := run(t, "", "help", name)
		for _, m := range flag.FindAllStringSubmatch(help, -1) {
			n++
			if m[1] == "bearer-token-file" {
				continue // it may have any name
			}
			_, stdout, _ := run(t, "", "__complete", name, "--"+m[1], "")
			assert.NotContains(t, stdout, ":0\n", "%s --%s offers any file", name, m[1])
		}
	}
	assert.Greater(t, n, 80)
}

func TestCompletions(t *testing.T) {
	for line, want := range map[string]string{
		"report --format ":     "table wide json csv markdown html :36",
		"report -f ":           "table wide json csv markdown html :36",
		"dashboard --format ":  "grafana perses :36",
		"watch --sort ":        "retries requests attempts first eventual added name :36",
		"report --window ":     "5m 15m 1h 6h 24h :36",
		"report ":              "json jsonl ndjson pb binpb proto prom om txt log gz zst zstd :8",
		"diff a ":              "json jsonl ndjson pb binpb proto prom om txt log gz zst zstd :8",
		"diff a b ":            ":4",
		"rules ":               ":4",
		"rules --config ":      "yaml yml :8",
		"dashboard --mixin ":   ":16",
		"report --dependency ": ":4",
		"report --tls-ca ":     "pem crt cer :8",
		"help ":                "check completion dashboard diff report rules version watch :4",
		"help completion ":     "bash fish powershell zsh :4",
		"rules --severity ":    "page= ticket= :38",
	} {
		words := strings.Split(line, " ")
		code, stdout, _ := run(t, "", append([]string{"__complete"}, words...)...)
		assert.Equal(t, 0, code, line)
		assert.Equal(t, want, strings.Join(strings.Fields(stdout), " "), line)
	}
}

// Flags that may be repeated are offered again, others are not.
func TestRepeatedFlagsAreOfferedAgain(t *testing.T) {
	for line, again := range map[string]bool{
		"check --threshold a --threshold": true, "check -t a --threshold": true, "check --class a --class": true,
		"report --header a=b --header": true, "report --match a --match": true, "report --dependency a --dependency": true,
		"rules --label a=b --label": true, "rules --selector a --selector": true, "rules --severity a=b --severity": true,
		"rules --from a --from": true, "report --since 5m --since": false, "check --config a --config": false,
	} {
		_, stdout, _ := run(t, "", append([]string{"__complete"}, strings.Fields(line)...)...)
		assert.Equal(t, again, strings.HasPrefix(stdout, "--"), "%s: %s", line, stdout)
		assert.NotContains(t, stdout, "`", line)
	}
}

func TestOutputFolders(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := run(t, "", "rules", "-o", filepath.Join(dir, "made", "too", "retry.yaml"))
	assert.Equal(t, 0, code, stderr)
	assert.FileExists(t, filepath.Join(dir, "made", "too", "retry.yaml"))
	for _, name := range []string{"none/..", "none/.", "none/"} {
		code, _, stderr := run(t, "", "rules", "-o", dir+"/"+name)
		assert.Equal(t, 2, code)
		assert.Contains(t, stderr, "it names a folder; name a file in it")
		assert.NoDirExists(t, filepath.Join(dir, "none"))
	}
	code, _, stderr = run(t, "", "rules", "-o", dir+"/a/../b.yaml")
	assert.Equal(t, 0, code, stderr)
	assert.FileExists(t, filepath.Join(dir, "b.yaml"))
}
