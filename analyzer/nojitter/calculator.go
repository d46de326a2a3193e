package nojitter

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// calculated says whether a function computes a doubling wait that its package
// waits for as it is, though not in a loop that is known for a retry: nothing in
// the package is drawn at random.
func calculated(pass *analysis.Pass, d *retrysite.Delay) bool {
	if d.Growth.Kind != retrysite.GrowthExponential || d.Growth.Jittered != retrysite.No || !d.Named || len(d.Sites) > 0 || d.Func.Obj == nil {
		return false
	}
	remote := false
	for _, p := range pass.Pkg.Imports() {
		path := strings.ToLower(p.Path())
		if strings.Contains(path, "rand") || strings.Contains(path, "jitter") {
			return false
		}
		remote = remote || path == "context" || path == "net" || path == "net/http"
	}
	return remote && waitedForIn(pass, []types.Object{d.Func.Obj}, 0)
}

// waitedForIn says whether a function that calls one of some functions waits, or
// one that calls that, and so on.
func waitedForIn(pass *analysis.Pass, callees []types.Object, depth int) bool {
	if len(callees) == 0 || depth > 3 {
		return false
	}
	var callers []types.Object
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			calls, waits := false, false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					callee := typeutil.Callee(pass.TypesInfo, call)
					calls = calls || callee != nil && slices.Contains(callees, callee)
					f, ok := callee.(*types.Func)
					waits = waits || ok && slices.Contains([]string{"time.Sleep", "time.After", "time.NewTimer", "(*time.Timer).Reset"}, f.FullName())
				}
				return true
			})
			if calls && waits {
				return true
			}
			if self := pass.TypesInfo.Defs[fn.Name]; calls && !slices.Contains(callees, self) {
				callers = append(callers, self)
			}
		}
	}
	return waitedForIn(pass, callers, depth+1)
}
