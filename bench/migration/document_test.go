package migration

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the code of the package into docs/migration.md")

const document = "../../docs/migration.md"

// In the document a block of Go is preceded by a comment with its name.
var block = regexp.MustCompile("(?s)<!-- (\\w+(?: before| after)?) -->\n```go\n(.*?)```")

func TestTheDocumentShowsThisCode(t *testing.T) {
	code := snippets(t)
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	shown := map[string]bool{}
	current := block.ReplaceAllStringFunc(string(text), func(found string) string {
		name := block.FindStringSubmatch(found)[1]
		assert.Contains(t, code, name, "the document shows code that isn't here")
		shown[name] = true
		return "<!-- " + name + " -->\n```go\n" + code[name] + "```"
	})
	assert.Equal(t, strings.Count(string(text), "```go\n"), len(shown), "every block of Go has its name above it")
	for name := range code {
		assert.True(t, shown[name], "the document doesn't show %s", name)
	}
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(current), 0o644))
		return
	}
	assert.Equal(t, string(text), current, "run go test ./migration -update")
}

// snippets reads what stands between the marks, without its indentation.
func snippets(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	code := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := ""
		for line := range strings.Lines(string(text)) {
			mark, marked := strings.CutPrefix(strings.TrimSpace(line), "//doc:")
			switch {
			case marked && mark == "end":
				name = ""
			case marked:
				name = strings.TrimSpace(mark)
			case name != "":
				code[name] += strings.TrimPrefix(line, "\t")
			}
		}
		assert.Empty(t, name, "%s: a //doc: has no end", file)
	}
	return code
}
