package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/migrate"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

var suite = options.Suite{Default: analyzer.Default(), OptIn: analyzer.OptIn(), Extra: []*analysis.Analyzer{migrate.Analyzer}, UnusedIgnores: unusedignore.Analyzer}

const repository = "../../../.."

// accepts fails unless retrylint takes the arguments.
func accepts(t *testing.T, args []string) {
	t.Helper()
	t.Chdir(t.TempDir()) // no settings file of ours
	switch args[0] {
	case "help", "version", "completion":
		return
	case "sites":
		return // flags of its own, tried by the scripts
	case "vetflags":
		args = args[1:]
	}
	s, err := parse(suite, args)
	require.NoError(t, err, "retrylint %s", strings.Join(args, " "))
	_, err = s.checks.Selected()
	require.NoError(t, err, "retrylint %s", strings.Join(args, " "))
}

// Every command line in the documentation is one that retrylint takes.
func TestDocumentedCommands(t *testing.T) {
	line := regexp.MustCompile(`(?m)^\s*(?:run: )?(?:go tool )?retrylint ((?:"[^"]*"|[^|#;>\n])*)`)
	total := 0
	for _, name := range []string{"docs/retrylint.md", "docs/ci/github.yml"} {
		text, err := os.ReadFile(filepath.Join(repository, name))
		require.NoError(t, err)
		for _, m := range line.FindAllStringSubmatch(string(text), -1) {
			args := strings.Fields(strings.TrimSpace(m[1]))
			if strings.HasPrefix(args[0], "finds") {
				continue // a sentence
			}
			total++
			t.Run(m[1], func(t *testing.T) { accepts(t, args) })
		}
	}
	assert.Greater(t, total, 15, "the command lines are no longer found")
}

func TestPreCommitHooks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repository, ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	var hooks []struct {
		ID, Name, Entry, Language string
		Args                      []string
		PassFilenames             *bool `yaml:"pass_filenames"`
	}
	require.NoError(t, yaml.Unmarshal(data, &hooks))
	require.NotEmpty(t, hooks)
	for _, hook := range hooks {
		t.Run(hook.ID, func(t *testing.T) {
			assert.Equal(t, "retrylint", hook.Entry)
			assert.Equal(t, "golang", hook.Language)
			require.NotNil(t, hook.PassFilenames)
			assert.False(t, *hook.PassFilenames, "packages are analysed, not files")
			accepts(t, hook.Args)
		})
	}
}

// The settings file of the documentation is one that is read.
func TestDocumentedSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs/retrylint.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "## The settings file")
	require.True(t, ok)
	_, example, ok := strings.Cut(section, "```yaml\n")
	require.True(t, ok)
	example, _, _ = strings.Cut(example, "```")

	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("go.mod", []byte("module m\n"), 0o644))
	require.NoError(t, os.WriteFile(options.FileName, []byte(example), 0o644))
	t.Cleanup(func() { // the flags of the checks are those of the process
		_, err := parse(suite, []string{"-settings=none", "-tests=false", "-blindsleep.reachable=false"})
		require.NoError(t, err)
	})
	s, err := parse(suite, nil)
	require.NoError(t, err)
	assert.True(t, s.tests())
}

// The targets in the example for Bazel are the checks that are on by default,
// each a package with a variable Analyzer.
func TestBazelTarget(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs/retrylint.md"))
	require.NoError(t, err)
	var targets []string
	for _, m := range regexp.MustCompile(`"@com_github_retrykit_retrykit//analyzer/(\w+)"`).FindAllStringSubmatch(string(text), -1) {
		targets = append(targets, m[1])
	}
	var checks []string
	for _, a := range suite.Default {
		checks = append(checks, a.Name)
	}
	assert.Equal(t, checks, targets)
	for _, a := range suite.All() {
		source, err := os.ReadFile(filepath.Join(repository, "analyzer", a.Name, a.Name+".go"))
		require.NoError(t, err)
		assert.Regexp(t, `(?m)^var Analyzer = `, string(source), "%s has no package-level Analyzer", a.Name)
	}
}
