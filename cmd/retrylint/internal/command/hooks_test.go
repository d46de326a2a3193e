package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestHooks runs the commands of the pre-commit hooks as pre-commit would: in a
// repository, with no file names. The first looks at uncommitted code only.
func TestHooks(t *testing.T) {
	_, err := exec.LookPath("git")
	require.NoError(t, err, "git is needed, as for pre-commit itself")
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	var hooks []struct {
		ID, Entry string
		Args      []string
	}
	require.NoError(t, yaml.Unmarshal(data, &hooks))

	const fault = `package m

import (
	"net/http"
	"time"
)

func get(url string) (resp *http.Response, err error) {
	for range 4 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
`
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("old/m.go", fault)
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")

	codes := func() map[string]int {
		codes := make(map[string]int)
		for _, hook := range hooks {
			entry, err := exec.LookPath(hook.Entry)
			require.NoError(t, err)
			cmd := exec.Command(entry, hook.Args...)
			cmd.Dir = dir
			_ = cmd.Run()
			codes[hook.ID] = cmd.ProcessState.ExitCode()
		}
		return codes
	}
	assert.Equal(t, map[string]int{"retrylint": 0, "retrylint-all": 1}, codes())
	write("new/m.go", fault)
	git("add", ".")
	assert.Equal(t, map[string]int{"retrylint": 1, "retrylint-all": 1}, codes())
}

// TestWorkflow holds the workflow for GitHub Actions to the parts without which
// it does nothing.
func TestWorkflow(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "ci", "github.yml"))
	require.NoError(t, err)
	var workflow struct {
		On          map[string]any
		Permissions map[string]string
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(data, &workflow))
	assert.Contains(t, workflow.On, "pull_request")
	assert.Equal(t, "write", workflow.Permissions["security-events"], "SARIF can't be uploaded without it")
	require.Len(t, workflow.Jobs, 1)
	for _, job := range workflow.Jobs {
		assert.NotEmpty(t, job.RunsOn)
		uploaded := ""
		for _, step := range job.Steps {
			assert.True(t, (step.Uses == "") != (step.Run == ""), "a step uses an action or runs a command")
			if file := step.With["sarif_file"]; file != "" {
				uploaded = file
			}
		}
		require.NotEmpty(t, uploaded)
		written := false
		for _, step := range job.Steps {
			written = written || slices.Contains(strings.Fields(step.Run), "-o="+uploaded)
		}
		assert.True(t, written, "what is uploaded is written by another step")
	}
}
