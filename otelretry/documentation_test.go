package otelretry_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every exported name of every package says what it means. Every function and
// method has an example of its own that runs, and every type, constant and
// variable is used by one.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	directories, err := filepath.Glob("otelretry*")
	require.NoError(t, err)
	require.Len(t, directories, 5)
	for _, directory := range append(directories, ".") {
		t.Run(directory, func(t *testing.T) { testDocumentation(t, directory) })
	}
}

func testDocumentation(t *testing.T, directory string) {
	files := token.NewFileSet()
	code, tests := parse(t, files, directory, false), parse(t, files, directory, true)
	runs, used := runningExamples(tests)
	p, err := doc.NewFromFiles(files, append(code, tests...), "x/"+directory)
	require.NoError(t, err)
	assert.NotEmpty(t, p.Doc, "the package has no documentation")

	function := func(name string, f *doc.Func) {
		assert.NotEmpty(t, f.Doc, "%s has no documentation", name)
		assert.True(t, runs["Example"+strings.ReplaceAll(name, ".", "_")], "%s has no example that runs", name)
	}
	values := func(groups []*doc.Value) {
		for _, group := range groups {
			for _, spec := range group.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				for _, name := range s.Names {
					if name.IsExported() {
						assert.True(t, group.Doc != "" || s.Doc != nil || s.Comment != nil, "%s has no documentation", name)
						assert.True(t, used[name.Name], "%s isn't used by an example that runs", name)
					}
				}
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	for _, f := range p.Funcs {
		function(f.Name, f)
	}
	for _, typ := range p.Types {
		assert.NotEmpty(t, typ.Doc, "%s has no documentation", typ.Name)
		values(typ.Consts)
		values(typ.Vars)
		byFunction := false // as what an exemplified function gives or a method belongs to
		for _, f := range typ.Funcs {
			function(f.Name, f)
			byFunction = true
		}
		for _, f := range typ.Methods {
			function(typ.Name+"."+f.Name, f)
			byFunction = true
		}
		assert.True(t, byFunction || used[typ.Name] || runs["Example"+typ.Name], "%s isn't used by an example that runs", typ.Name)
	}
}

// parse reads the files of a package, or those of its tests.
func parse(t *testing.T, files *token.FileSet, directory string, tests bool) (parsed []*ast.File) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != directory:
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") != tests:
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		parsed = append(parsed, file)
		return err
	}))
	return parsed
}

// runningExamples gives the examples that are run, those whose output is
// checked, and the names that occur in them.
func runningExamples(tests []*ast.File) (runs, used map[string]bool) {
	runs, used = map[string]bool{}, map[string]bool{}
	for _, example := range doc.Examples(tests...) {
		if example.Output == "" && !example.EmptyOutput {
			continue
		}
		name, _, _ := strings.Cut("Example"+example.Name, "_lower")
		runs[name] = true
		ast.Inspect(example.Code, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	return runs, used
}
