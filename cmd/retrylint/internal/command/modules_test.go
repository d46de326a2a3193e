package command_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fixable are modules of other people, and packages of them, in which there is
// something to fix.
var fixable = []struct{ module, packages string }{
	{"github.com/apache/rocketmq-client-go/v2@v2.1.3-0.20251226070945-2173d070fd1b", "./..."},
	{"github.com/baidubce/bce-sdk-go@v0.9.234", "./bce/..."},
	{"github.com/google/go-containerregistry@v0.5.1", "./pkg/..."},
	{"github.com/hashicorp/vault/api@v1.23.0", "./..."},
	{"github.com/segmentio/kafka-go@v0.4.51", "./..."}, // of Go 1.15, which has neither min nor rand.N
	{"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common@v1.0.563", "./..."},
	{"github.com/testcontainers/testcontainers-go@v0.35.0", "."},
	{"github.com/zmb3/spotify/v2@v2.4.2", "./..."},
}

// TestFixModules applies all fixes to copies of public modules. What compiled
// before compiles after, what was formatted stays formatted, and a second run
// finds nothing more to fix. It downloads and builds the modules and what they
// need, some minutes on two cores, so that only `make fix-modules` asks for it.
func TestFixModules(t *testing.T) {
	if os.Getenv("RETRYKIT_MODULES") != "1" {
		t.Skip("downloads and builds large modules; `make fix-modules` runs it")
	}
	retrylint, err := exec.LookPath("retrylint")
	require.NoError(t, err)
	applied := 0
	for _, m := range fixable {
		t.Run(m.module, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "module")
			run := func(name string, args ...string) (stdout, stderr string) {
				cmd := exec.Command(name, args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
				var out, errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				if err := cmd.Run(); err != nil {
					exit := (*exec.ExitError)(nil)
					require.ErrorAs(t, err, &exit)
				}
				return out.String(), errs.String()
			}
			copyModule(t, m.module, dir)
			_, problems := run("go", "build", m.packages)
			require.NotContains(t, problems, ".go:", "before any fix")
			unformatted, _ := run("gofmt", "-l", ".")

			_, fixing := run(retrylint, "-checks=all", "-fix", "-o="+filepath.Join(t.TempDir(), "left"), m.packages)
			t.Log(strings.TrimSpace(fixing))
			if n := appliedFixes.FindStringSubmatch(fixing); assert.NotNil(t, n, fixing) {
				fixes, err := strconv.Atoi(n[1])
				require.NoError(t, err)
				applied += fixes
			}
			assert.NotContains(t, fixing, "incomplete", "the fixed code can't be analysed")

			_, problems = run("go", "build", m.packages)
			assert.NotContains(t, problems, ".go:", "the fixed code does not compile")
			after, _ := run("gofmt", "-l", ".")
			assert.Equal(t, unformatted, after, "fixed files are not formatted")
			diff, _ := run(retrylint, "-checks=all", "-diff", m.packages)
			assert.Empty(t, diff, "the fixed code calls for more fixes")
		})
	}
	t.Logf("%d fixes in all", applied)
}

var appliedFixes = regexp.MustCompile(`applied (\d+) fix`)

// copyModule downloads a module and copies it to a place where it can be
// changed.
func copyModule(t *testing.T, module, to string) {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	require.NoError(t, err)
	var downloaded struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &downloaded))
	copyTree(t, downloaded.Dir, to)

	// Modules beside it in its repository are not there; their releases are.
	file := filepath.Join(to, "go.mod")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, besides.ReplaceAll(text, nil), 0o644))
}

var besides = regexp.MustCompile(`(?m)^.*=> \.\.?/.*\n`)

// copyTree copies a directory of the module cache, which can't be written to.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	}))
}
