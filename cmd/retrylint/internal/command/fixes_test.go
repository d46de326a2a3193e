package command_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/analyzer"
)

// TestFixesHold applies the fixes of all checks to what the checks are tested
// with. What comes out compiles, is formatted, and calls for no fix any more.
func TestFixesHold(t *testing.T) {
	root := t.TempDir()
	analyzers := filepath.Join("..", "..", "..", "..", "analyzer")
	require.NoError(t, os.CopyFS(filepath.Join(root, "src"), os.DirFS(filepath.Join(analyzers, "internal", "libstub", "testdata", "src"))))
	tests, err := filepath.Glob(filepath.Join(analyzers, "*", "testdata", "src"))
	require.NoError(t, err)
	require.NotEmpty(t, tests)
	for _, src := range tests {
		copyTestdata(t, src, filepath.Join(root, "src"), filepath.Base(filepath.Dir(filepath.Dir(src))))
	}
	retrylint, err := exec.LookPath("retrylint")
	require.NoError(t, err)
	run := func(name string, args ...string) (stdout, stderr string, code int) {
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join(root, "src", "checks")
		cmd.Env = append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOPATH="+root)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			exit := (*exec.ExitError)(nil)
			require.ErrorAs(t, err, &exit)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	_, stderr, code := run("go", "build", "./...")
	require.Zero(t, code, "before any fix: %s", stderr)

	promised, stderr, code := run(retrylint, "-checks=all", "-diff", "./...")
	require.Equal(t, 1, code, "%s", stderr)
	before := goFiles(t, filepath.Join(root, "src", "checks"))

	left, stderr, code := run(retrylint, "-checks=all", "-fix", "-c=-1", "./...")
	require.Equal(t, 1, code, "%s", stderr)
	checkMessages(t, left)
	assert.Regexp(t, `applied \d{3,} fixes to \d{2,3} files`, stderr)

	var done strings.Builder
	after := goFiles(t, filepath.Join(root, "src", "checks"))
	for _, name := range slices.Sorted(maps.Keys(after)) {
		done.WriteString(udiff.Unified("a/"+name, "b/"+name, before[name], after[name]))
	}
	assert.Equal(t, done.String(), promised, "-diff shows what -fix does")

	_, stderr, code = run("go", "build", "./...")
	assert.Zero(t, code, "the fixed code does not compile: %s", stderr)
	unformatted, _, _ := run("gofmt", "-l", ".")
	assert.Empty(t, unformatted, "the fixed code is not formatted")
	diff, stderr, _ := run(retrylint, "-checks=all", "-diff", "./...")
	assert.Empty(t, diff, "the fixed code calls for more fixes")
	assert.Empty(t, stderr)
}

// goFiles are the contents of the Go files in dir, by name.
func goFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return files
}

// message is how every finding speaks: one line that says what is wrong and what
// comes of it, and the way out behind a semicolon.
var message = regexp.MustCompile(`^\S+:\d+:\d+: [^;]+[,:] [^;]+; .*[^.] \((\w+)\)$`)

// checkMessages looks at the findings for which there is no fix, which are of
// all checks.
func checkMessages(t *testing.T, findings string) {
	t.Helper()
	seen := make(map[string]bool)
	for line := range strings.Lines(findings) {
		m := message.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if assert.NotNil(t, m, "%s", line) {
			seen[m[1]] = true
		}
	}
	for _, a := range analyzer.All() {
		assert.True(t, seen[a.Name], "no finding of %s was looked at", a.Name)
	}
}

// copyTestdata copies the packages that one check is tested with to a place of
// their own, and lets them import each other there.
func copyTestdata(t *testing.T, from, to, check string) {
	t.Helper()
	var local []string // import paths
	require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != from {
			rel, relErr := filepath.Rel(from, path)
			local, err = append(local, filepath.ToSlash(rel)), relErr
		}
		return err
	}))
	require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		for _, p := range local {
			for _, before := range []string{"import ", "\t", " "} {
				text = strings.ReplaceAll(text, before+`"`+p+"\"\n", before+`"checks/`+check+"/"+p+"\"\n")
			}
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, "checks", check, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, []byte(text), 0o644)
	}))
}
