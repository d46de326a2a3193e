package command_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDriversAgree runs the suite over a module of several packages under go
// vet and by itself, and wants the same findings, places and fixes included.
func TestDriversAgree(t *testing.T) {
	dir, err := filepath.Abs("../../../../examples")
	require.NoError(t, err)
	retrylint, err := exec.LookPath("retrylint")
	require.NoError(t, err)

	vet := findings(t, dir, "go", "vet", "-vettool="+retrylint, "-json", "./checkout/before", "./checkout/shop", "./flakyserver")
	standalone := findings(t, dir, retrylint, "-json", "./checkout/before", "./checkout/shop", "./flakyserver")
	assert.NotEmpty(t, vet)
	assert.Equal(t, vet, standalone)

	// A part of the module is judged as in the whole.
	part := findings(t, dir, retrylint, "-json", "./checkout/before")
	assert.NotEmpty(t, part)
	for _, f := range part {
		assert.Contains(t, vet, f)
	}
}

// findings runs a driver and returns its findings, sorted, one JSON text each.
func findings(t *testing.T, dir, name string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", stderr.Bytes())
	}
	// go vet writes an object a package, with comments between them.
	var text strings.Builder
	for line := range strings.Lines(string(out) + stderr.String()) {
		if !strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	var found []string
	for dec := json.NewDecoder(strings.NewReader(text.String())); dec.More(); {
		var tree map[string]map[string][]json.RawMessage
		require.NoError(t, dec.Decode(&tree), "%s", text.String())
		for _, checks := range tree {
			for check, list := range checks {
				for _, d := range list {
					var compact bytes.Buffer
					require.NoError(t, json.Compact(&compact, d))
					found = append(found, check+" "+compact.String())
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
