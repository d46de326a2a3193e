package fix_test

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/fix"
)

const source = `package p

import (
	"fmt"
	yaml "gopkg.in/yaml.v3"
	"strings"
)

func f() {
	fmt.Println(strings.ToUpper("a"), yaml.Node{})
}
`

// replace is a finding whose fix replaces one text, where it stands first.
func replace(old, new string, more ...string) finding.Finding {
	edit := func(old, new string) finding.Edit {
		i := strings.Index(source, old)
		return finding.Edit{File: "p.go", Start: i, End: i + len(old), New: new}
	}
	edits := []finding.Edit{edit(old, new)}
	for i := 0; i < len(more); i += 2 {
		edits = append(edits, edit(more[i], more[i+1]))
	}
	return finding.Finding{Fixes: []finding.Fix{{Edits: edits}, {Message: "another way"}}}
}

// insert is a finding whose fix inserts text before another.
func insert(before, text string) finding.Edit {
	i := strings.Index(source, before)
	return finding.Edit{File: "p.go", Start: i, End: i, New: text}
}

func read(string) ([]byte, error) { return []byte(source), nil }

func TestMake(t *testing.T) {
	withImport := func(f finding.Finding) finding.Finding {
		f.Fixes[0].Edits = append(f.Fixes[0].Edits, insert(`"fmt"`, "\"errors\"\n\t"))
		return f
	}
	tests := map[string]struct {
		findings           []finding.Finding
		applied, conflicts int
		has, hasNot        []string
	}{
		"no fix": {findings: []finding.Finding{{}}},
		"an import that nothing uses any more goes": {
			findings: []finding.Finding{replace(`strings.ToUpper("a")`, `"A"`)},
			applied:  1, has: []string{`fmt.Println("A", yaml.Node{})`, "yaml.v3"}, hasNot: []string{`"strings"`},
		},
		"a named import too": {
			findings: []finding.Finding{replace(`, yaml.Node{}`, ``)},
			applied:  1, hasNot: []string{"yaml.v3"}, has: []string{`"strings"`},
		},
		"what overlaps is left for the next run": {
			findings: []finding.Finding{replace(`"a"`, `"b"`), replace(`ToUpper("a")`, `ToLower("a")`)},
			applied:  1, conflicts: 1, has: []string{`ToUpper("b")`},
		},
		"a fix is applied whole or not at all": {
			findings: []finding.Finding{replace(`"a"`, `"b"`), replace(`Println`, `Print`, `"a"`, `"c"`)},
			applied:  1, conflicts: 1, has: []string{`Println(strings.ToUpper("b")`},
		},
		"two fixes that add one import": {
			findings: []finding.Finding{withImport(replace(`"a"`, `"b"`)), withImport(replace(`Println`, `Print`))},
			applied:  2, has: []string{"\t\"errors\"\n\t\"fmt\"", `Print(strings.ToUpper("b")`},
		},
		"two insertions at one place": {
			findings: []finding.Finding{
				{Fixes: []finding.Fix{{Edits: []finding.Edit{insert("fmt.Println", "g()\n\t")}}}},
				{Fixes: []finding.Fix{{Edits: []finding.Edit{insert("fmt.Println", "h()\n\t")}}}},
			},
			applied: 1, conflicts: 1, has: []string{"g()"}, hasNot: []string{"h()"},
		},
		"an insertion before a replacement": {
			findings: []finding.Finding{
				replace("fmt.Println", "fmt.Print"),
				{Fixes: []finding.Fix{{Edits: []finding.Edit{insert("fmt.Println", "g()\n")}}}},
			},
			applied: 2, has: []string{"\tg()\n\tfmt.Print("},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			plan, err := fix.Make(tt.findings, read)
			require.NoError(t, err)
			assert.Equal(t, tt.applied, plan.Applied)
			assert.Equal(t, tt.conflicts, plan.Conflicts)
			if tt.applied == 0 {
				assert.Empty(t, plan.Changes)
				return
			}
			after := string(plan.Changes[0].After)
			for _, text := range tt.has {
				assert.Contains(t, after, text)
			}
			for _, text := range tt.hasNot {
				assert.NotContains(t, after, text)
			}
		})
	}
}

func TestMakeRefuses(t *testing.T) {
	_, err := fix.Make([]finding.Finding{replace(`"a"`, `"b"`)}, func(string) ([]byte, error) { return nil, os.ErrNotExist })
	assert.ErrorIs(t, err, os.ErrNotExist)

	_, err = fix.Make([]finding.Finding{replace(`"a"`, `"b"`)}, func(string) ([]byte, error) { return []byte("package p\n"), nil })
	assert.ErrorContains(t, err, "changed while it was analysed")

	_, err = fix.Make([]finding.Finding{replace(`"a"`, `(`)}, read)
	assert.ErrorContains(t, err, "does not parse")
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.go")
	require.NoError(t, os.WriteFile(name, []byte(source), 0o640))
	f := replace(`"a"`, `"b"`)
	f.Fixes[0].Edits[0].File = name
	plan, err := fix.Make([]finding.Finding{f}, os.ReadFile)
	require.NoError(t, err)
	assert.Contains(t, plan.Changes[0].Diff(filepath.Dir(name)), "--- a/p.go\n+++ b/p.go\n@@ ")
	require.NoError(t, plan.Write())

	after, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(source, `"a"`, `"b"`, 1), string(after))
	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	entries, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file is left")

	link := filepath.Join(t.TempDir(), "q.go")
	if err := os.Symlink(name, link); err == nil { // Windows wants a privilege for it
		require.NoError(t, fix.Plan{Changes: []fix.Change{{File: link, After: []byte("package p\n")}}}.Write())
		target, err := os.Readlink(link)
		require.NoError(t, err, "the link is one still")
		assert.Equal(t, name, target)
		after, err = os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, "package p\n", string(after))
	}

	require.NoError(t, os.Remove(name))
	assert.Error(t, plan.Write())
}

// Whatever the edits of names are, the result parses, and every fix was either
// applied or counted as a conflict.
func TestAnyEdits(t *testing.T) {
	words := []string{"f()", "Println", `"a"`, "yaml.Node{}", "strings.ToUpper(\"a\")", "fmt.Println"}
	values := []string{"f()", "Print", `"b"`, "yaml.Node{Line: 1}", "yaml.Kind(1)", "f"}
	rapid.Check(t, func(t *rapid.T) {
		picks := rapid.SliceOf(rapid.IntRange(0, len(words)-1)).Draw(t, "picks")
		var findings []finding.Finding
		for _, i := range picks {
			findings = append(findings, replace(words[i], values[i]))
		}
		plan, err := fix.Make(findings, read)
		if err != nil {
			require.False(t, errors.Is(err, os.ErrNotExist))
			t.Fatal(err)
		}
		assert.Equal(t, len(findings), plan.Applied+plan.Conflicts)
		for _, c := range plan.Changes {
			_, err := parser.ParseFile(token.NewFileSet(), c.File, c.After, 0)
			require.NoError(t, err)
		}
	})
}
