package otelretry_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every exported name says what it means, and every exported function has an
// example that runs.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	for _, directory := range []string{".", "otelretrytest"} {
		examples := map[string]bool{}
		eachDeclaration(t, directory, true, func(d ast.Decl) {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
				examples[f.Name.Name] = true
			}
		})
		eachDeclaration(t, directory, false, func(d ast.Decl) {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name, exported := functionName(d)
				if exported {
					assert.NotNil(t, d.Doc, "%s/%s has no documentation", directory, name)
					assert.True(t, examples["Example"+name], "%s/%s has no example", directory, name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
						assert.True(t, d.Doc != nil || s.Doc != nil, "%s/%s has no documentation", directory, s.Name.Name)
					}
				}
			}
		})
	}
}

func eachDeclaration(t *testing.T, directory string, tests bool, visit func(ast.Decl)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") != tests {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			visit(d)
		}
	}
}

// functionName gives the name that go doc knows an example by. Methods of
// unexported types, and those that only satisfy an interface documented
// elsewhere, aren't part of the API.
func functionName(f *ast.FuncDecl) (name string, exported bool) {
	if f.Recv == nil {
		return f.Name.Name, f.Name.IsExported()
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	identifier, ok := receiver.(*ast.Ident)
	if !ok || !identifier.IsExported() {
		return "", false
	}
	return identifier.Name + "_" + f.Name.Name, f.Name.IsExported()
}
