package opcardinality

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports names of operations without a small bound; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "opcardinality",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("opcardinality"),
	Requires: []*analysis.Analyzer{suppress.Analyzer},
	Run:      suppress.Check(run),
}

const otelretry = "github.com/retrykit/retrykit/otelretry"

func run(pass *analysis.Pass) (any, error) {
	if !imports(pass.Pkg) {
		return nil, nil
	}
	for _, file := range retrysite.SearchedFiles(pass) {
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			if call, ok := n.(*ast.CallExpr); ok {
				check(pass, call, around)
			}
			return true
		})
	}
	return nil, nil
}

func imports(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == otelretry || strings.HasPrefix(p.Path(), otelretry+"/") {
			return true
		}
	}
	return false
}

// check looks at one call.
func check(pass *analysis.Pass, call *ast.CallExpr, around []ast.Node) {
	fn := typeutil.StaticCallee(pass.TypesInfo, call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) == 0 {
		return
	}
	s := search{pass: pass, body: body(around)}
	switch fn.FullName() {
	case otelretry + ".New":
		s.report(call.Args[0], "dependency")
	case "(*" + otelretry + ".Policy).Operation":
		s.report(call.Args[0], "operation")
	case otelretry + "/otelretryhttp.WithOperationName":
		lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
		if !ok {
			return
		}
		s.body = lit.Body
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
				s.report(ret.Results[0], "operation")
			}
			_, nested := n.(*ast.FuncLit)
			return !nested
		})
	}
}

// body is that of the innermost function around a node.
func body(around []ast.Node) *ast.BlockStmt {
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

func (s search) report(name ast.Expr, what string) {
	part := s.unbounded(name, 0)
	if part == "" {
		return
	}
	s.pass.Report(analysis.Diagnostic{
		Pos: name.Pos(), End: name.End(), Category: s.pass.Analyzer.Name, URL: report.URL(s.pass.Analyzer.Name),
		Message: fmt.Sprintf("names the %s after %s, which makes a metric series for each value and loses all past the 64th in _OTHER; use a constant name", what, part),
	})
}
