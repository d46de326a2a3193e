package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/analyzer"
)

// rulesGo is the release of Bazel's rules for Go whose nogo is built. It is
// on the Go module proxy like any module.
const rulesGo = "github.com/bazelbuild/rules_go@v0.65.0"

// nogoSources are those of its target nogo_srcs.
var nogoSources = []string{
	"constants.go", "env.go", "flags.go", "nogo_fix.go", "nogo_goversions_go118.go", "nogo_goversions_go121.go", "nogo_goversions_go122.go",
	"nogo_main.go", "nogo_version.go", "nolint.go",
}

// TestNogo builds Bazel's nogo from its own sources with every check, without
// Bazel, runs it as Bazel would, and wants retrylint's findings.
func TestNogo(t *testing.T) {
	if os.Getenv("RETRYKIT_REQUIRE_E2E") != "1" {
		t.Skip("downloads rules_go; set RETRYKIT_REQUIRE_E2E=1 to run it")
	}
	retrylint, err := exec.LookPath("retrylint")
	require.NoError(t, err)
	nogo := buildNogo(t)

	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module example.com/shop\n\ngo 1.26\n")
	write("shop.go", `package shop

import (
	"context"
	"net/http"
	"time"
)

func charge(ctx context.Context, client *http.Client, url string) (resp *http.Response, err error) {
	delay := time.Second
	for attempt := 0; attempt < 4; attempt++ {
		if resp, err = client.Post(url, "text/plain", nil); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
		delay *= 2
	}
	return nil, err
}

func refund(client *http.Client, url string) error {
	for { //nolint:retrylint // shown to be silenced here as well
		if _, err := client.Get(url); err == nil {
			return nil
		}
	}
}
`)
	run := func(name string, args ...string) (stdout, stderr string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOARCH="+runtime.GOARCH, "GOFLAGS=")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			exit := (*exec.ExitError)(nil)
			require.ErrorAs(t, err, &exit)
		}
		return out.String(), errs.String()
	}
	imports, _ := run("go", "list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", ".")
	write("imports.cfg", imports)
	_, found := run(nogo, "-p", "example.com/shop", "-importcfg", "imports.cfg", "-x", "facts", "shop.go")
	want, _ := run(retrylint, "-c=-1")
	require.NotEmpty(t, want)
	_, found, ok := strings.Cut(found, "code analysis:\n")
	require.True(t, ok)
	assert.ElementsMatch(t, strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(found), "\n"))
}

// buildNogo generates the main package that rules_go's generator would, and
// builds it. nogo uses a package that is internal to golang.org/x/tools; Bazel
// makes it visible, and here the command is put into a copy of that module.
func buildNogo(t *testing.T) (binary string) {
	t.Helper()
	downloaded := func(args ...string) (dir string) {
		out, err := exec.Command("go", args...).Output()
		require.NoError(t, err, "go %s", strings.Join(args, " "))
		var module struct{ Dir string }
		require.NoError(t, json.Unmarshal(out, &module))
		return module.Dir
	}
	rules := downloaded("mod", "download", "-json", rulesGo)
	tools := filepath.Join(t.TempDir(), "tools")
	copyTree(t, downloaded("list", "-m", "-json", "golang.org/x/tools"), tools)
	command := filepath.Join(tools, "cmd", "nogo")
	require.NoError(t, os.MkdirAll(command, 0o755))
	for _, name := range nogoSources {
		data, err := os.ReadFile(filepath.Join(rules, "go", "tools", "builders", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(command, name), data, 0o644))
	}

	var imports, variables strings.Builder
	for _, a := range analyzer.All() {
		fmt.Fprintf(&imports, "\t\"github.com/retrykit/retrykit/analyzer/%s\"\n", a.Name)
		fmt.Fprintf(&variables, "\t%s.Analyzer,\n", a.Name)
	}
	generated := fmt.Sprintf("package main\n\nimport (\n%s\n\t\"golang.org/x/tools/go/analysis\"\n)\n\nvar analyzers = []*analysis.Analyzer{\n%s}\n\nvar configs = map[string]config{}\n\nconst debugMode = false\n",
		imports.String(), variables.String())
	require.NoError(t, os.WriteFile(filepath.Join(command, "analyzers.go"), []byte(generated), 0o644))

	repository, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	module := fmt.Sprintf("module golang.org/x/tools\n\ngo 1.26\n\nrequire github.com/retrykit/retrykit v0.0.0\n\nreplace github.com/retrykit/retrykit => %s\n", repository)
	require.NoError(t, os.WriteFile(filepath.Join(tools, "go.mod"), []byte(module), 0o644))
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tools, "go.sum"), sums, 0o644))

	binary = filepath.Join(t.TempDir(), "nogo")
	build := exec.Command("go", "build", "-o", binary, "./cmd/nogo")
	build.Dir = tools
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}
