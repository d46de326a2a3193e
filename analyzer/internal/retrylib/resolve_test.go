package retrylib

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
)

// show reports every call that Resolve knows, as the test packages expect it.
var show = &analysis.Analyzer{
	Name: "show",
	Doc:  "report what is known of each call of a retry library",
	Run: func(pass *analysis.Pass) (any, error) {
		scope := NewScope(pass.TypesInfo, pass.Files)
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if c, ok := scope.Resolve(call); ok {
						pass.Reportf(call.Pos(), "%s", describe(c))
					} else if e := Lookup(Callee(pass.TypesInfo, call)); e != nil && e.Kind == KindClient {
						pass.Reportf(call.Pos(), "client %s", describePolicy(scope.PolicyOf(call)))
					}
				}
				return true
			})
		}
		return nil, nil
	},
}

func describe(c Call) string {
	closure := "?"
	switch f := c.Func.(type) {
	case *ast.FuncLit:
		closure = "literal"
	case *ast.FuncDecl:
		closure = f.Name.Name
	}
	return fmt.Sprintf("%s runs %s; %s", c.Entry.Protocol, closure, describePolicy(c.Policy))
}

func describePolicy(p Policy) string {
	var b strings.Builder
	count := func(name string, c Count) {
		if c.State == StateConst {
			fmt.Fprintf(&b, " %s=%d", name, c.N)
		} else {
			fmt.Fprintf(&b, " %s=%s", name, c.State)
		}
	}
	span := func(name string, s Span) {
		if s.State == StateConst {
			fmt.Fprintf(&b, " %s=%s", name, s.D)
		} else {
			fmt.Fprintf(&b, " %s=%s", name, s.State)
		}
	}
	count("attempts", p.Attempts)
	span("deadline", p.Deadline)
	fmt.Fprintf(&b, " delay=%s", p.Delay)
	span("base", p.Base)
	span("cap", p.Cap)
	fmt.Fprintf(&b, " jitter=%s classify=%s wait=%s ctx=%s", p.Jitter, p.Classify, p.Interruptible(), p.Context.Given)
	if id, ok := p.Context.Expr.(*ast.Ident); ok {
		fmt.Fprintf(&b, "(%s)", id.Name)
	}
	return strings.TrimSpace(b.String())
}

func TestResolve(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "*")
	analysistest.Run(t, dir, show, packages...)
}
