package suppress_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

// bang reports every call of a function named bang.
var bang = &analysis.Analyzer{
	Name:     "bang",
	Doc:      "report calls of bang",
	Requires: []*analysis.Analyzer{suppress.Analyzer},
	Run: suppress.Check(func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "bang" {
						pass.Reportf(call.Pos(), "a bang")
					}
				}
				return true
			})
		}
		return nil, nil
	}),
}

func TestDirectives(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), bang, "forms", "wholefile", "packageclause", "noreason")
}

func TestSourceOrder(t *testing.T) {
	run := suppress.Check(func(pass *analysis.Pass) (any, error) {
		for _, d := range []analysis.Diagnostic{{Pos: 9, Message: "c"}, {Pos: 3, Message: "b"}, {Pos: 3, Message: "a"}} {
			pass.Report(d)
		}
		return nil, nil
	})
	fset := token.NewFileSet()
	set, err := suppress.Analyzer.Run(&analysis.Pass{Fset: fset})
	require.NoError(t, err)
	var order []string
	_, err = run(&analysis.Pass{
		Analyzer: bang,
		Fset:     fset,
		Report:   func(d analysis.Diagnostic) { order = append(order, d.Message) },
		ResultOf: map[*analysis.Analyzer]any{suppress.Analyzer: set},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c"}, order)
}

func TestPanicNamesCheckAndPackage(t *testing.T) {
	cause := errors.New("index out of range")
	run := suppress.Check(func(*analysis.Pass) (any, error) { panic(cause) })
	pass := &analysis.Pass{
		Analyzer: bang,
		Pkg:      types.NewPackage("example.com/shop", "shop"),
		ResultOf: map[*analysis.Analyzer]any{suppress.Analyzer: new(suppress.Set)},
	}
	_, err := run(pass)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "bang: internal error in package example.com/shop: index out of range")
	assert.Contains(t, err.Error(), "-bang=false")
}

func TestUnused(t *testing.T) {
	const source = `package p

func f() {
	bang() //nolint:bang,other
	bang() //retrylint:ignore other because
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	require.NoError(t, err)
	result, err := suppress.Analyzer.Run(&analysis.Pass{Fset: fset, Files: []*ast.File{file}})
	require.NoError(t, err)
	set := result.(*suppress.Set)

	for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
		set.Silenced("bang", stmt.Pos())
	}
	directives := set.Directives()
	require.Len(t, directives, 2)
	assert.Equal(t, []string{"other"}, directives[0].Unused())
	assert.Equal(t, []string{"other"}, directives[1].Unused())
}

func FuzzDirective(f *testing.F) {
	f.Add("//nolint:bang // why", "//lint:ignore bang reason")
	f.Add("// nolint", "//retrylint:file-ignore retrylint")
	f.Add("//nolint:,,", "//lint:ignore [ x")
	f.Fuzz(func(t *testing.T, above, beside string) {
		source := "package p\n\n" + above + "\nfunc f() {\n\tbang() " + beside + "\n}\n"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
		if err != nil {
			return // the comments broke the program
		}
		result, err := suppress.Analyzer.Run(&analysis.Pass{Fset: fset, Files: []*ast.File{file}})
		require.NoError(t, err)
		set := result.(*suppress.Set)
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				set.Silenced("bang", n.Pos())
			}
			return true
		})
		for _, d := range set.Directives() {
			for _, name := range d.Unused() {
				assert.NotEmpty(t, name)
			}
		}
	})
}
