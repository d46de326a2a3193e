package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../.."

func TestPagesAreCurrent(t *testing.T) {
	want, err := pages(root)
	require.NoError(t, err)
	const again = "write it again with: go run ./analyzer/internal/gendocs"
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, "docs", "checks", name))
		require.NoError(t, err, again)
		assert.Equal(t, text, string(got), "docs/checks/%s is not current; %s", name, again)
	}
	have, err := filepath.Glob(filepath.Join(root, "docs", "checks", "*.md"))
	require.NoError(t, err)
	assert.Len(t, have, len(want), "docs/checks has pages of checks that are no more; %s", again)
}

func TestMarkdown(t *testing.T) {
	text := "One *star* and code.\n\n# Before\n\n\tfor {\n\n\t\tcall()\n\t}\n\n# After\n\nText.\n"
	assert.Equal(t, "One \\*star\\* and code.\n\n## Before\n\n```go\nfor {\n\n\tcall()\n}\n```\n\n## After\n\nText.\n", markdown(text))
}

func TestWriteRemovesOldPages(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "docs", "checks", "gone.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(old), 0o755))
	require.NoError(t, os.WriteFile(old, nil, 0o644))
	require.NoError(t, write(dir))
	assert.NoFileExists(t, old)
	assert.FileExists(t, filepath.Join(dir, "docs", "checks", "README.md"))
}

func TestReadPrecision(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.tsv")
	require.NoError(t, os.WriteFile(name, []byte("# read by hand\ncheck\tread\tright\nbareretry\t40\t39\nfreshkey\t0\t0\n"), 0o644))
	got, err := readPrecision(name)
	require.NoError(t, err)
	assert.Equal(t, "98 % of 40", got["bareretry"].String())
	assert.Equal(t, "-", got["freshkey"].String())

	got, err = readPrecision(filepath.Join(t.TempDir(), "nosuch"))
	require.NoError(t, err)
	assert.Empty(t, got)

	for _, content := range []string{"check\tread\n", "check\tread\tright\nx\t1\t2\n", "check\tread\tright\nx\ta\t2\n", "a\tb\n1\n"} {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
		_, err := readPrecision(name)
		assert.Error(t, err)
	}
}
