package command_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnit runs the vet tool as the go command does: for the findings of a
// package that was asked for, and for the facts alone of a dependency.
func TestUnit(t *testing.T) {
	fetchlint, err := exec.LookPath("fetchlint")
	require.NoError(t, err)
	dir := t.TempDir()
	source := filepath.Join(dir, "m.go")
	require.NoError(t, os.WriteFile(source, []byte("package m\n\nfunc Fetch() int { return 1 }\n\nfunc Load() int { return Fetch() }\n"), 0o644))
	unit := func(name string, factsOnly bool, flags ...string) (stderr string, code int, facts []byte) {
		output := filepath.Join(dir, name+".vetx")
		config, err := json.Marshal(map[string]any{
			"ID": "example.com/m", "Compiler": "gc", "Dir": dir, "ImportPath": "example.com/m", "GoFiles": []string{source}, "GoVersion": "go1.26",
			"VetxOnly": factsOnly, "VetxOutput": output,
		})
		require.NoError(t, err)
		file := filepath.Join(dir, name+".cfg")
		require.NoError(t, os.WriteFile(file, config, 0o644))
		cmd := exec.Command(fetchlint, append(flags, file)...)
		cmd.Env = append(os.Environ(), "FETCHLINT_SAYS=1")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		_ = cmd.Run()
		facts, _ = os.ReadFile(output)
		return errs.String(), cmd.ProcessState.ExitCode(), facts
	}

	stderr, code, facts := unit("asked", false)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "m.go:5:26: Fetch fetches; don't\n")
	assert.NotContains(t, stderr, "nothing but facts")
	assert.NotEmpty(t, facts)

	stderr, code, dependency := unit("dependency", true)
	assert.Zero(t, code)
	assert.Equal(t, "nothing but facts of example.com/m\n", stderr)
	assert.Equal(t, facts, dependency)

	// What is wrong with the flags is said where findings are asked for, not
	// once more for each dependency.
	stderr, code, _ = unit("asked", false, "-checks=nosuch")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, `there is no check "nosuch"`)
	stderr, code, dependency = unit("dependency", true, "-checks=nosuch")
	assert.Zero(t, code)
	assert.NotContains(t, stderr, "nosuch")
	assert.NotEmpty(t, dependency)

	stderr, code, _ = unit("asked", false, "-nosuch")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "flag provided but not defined: -nosuch")
}
