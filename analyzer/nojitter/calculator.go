package nojitter

import (
	"go/ast"
	"go/types"
	"slices"

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
		if retrysite.NamesRandomness(p.Path()) {
			return false
		}
		switch p.Path() {
		case "context", "net", "net/http":
			remote = true
		}
	}
	return remote && waits(pass, d.Func.Obj)
}

// waits says whether the package uses a function that computes a delay, be it as
// a default that can be set otherwise, and waits somewhere.
func waits(pass *analysis.Pass, delay types.Object) bool {
	used, waited := false, false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				used = used || pass.TypesInfo.Uses[n] == delay
			case *ast.CallExpr:
				callee, _ := typeutil.Callee(pass.TypesInfo, n).(*types.Func)
				waited = waited || callee != nil && slices.Contains([]string{"time.Sleep", "time.After", "time.NewTimer", "time.NewTicker", "(*time.Timer).Reset"}, callee.FullName())
			}
			return true
		})
	}
	return used && waited
}
