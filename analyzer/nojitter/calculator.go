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
	return remote && waits(pass, d.Func.Obj)
}

// waits says whether the package calls a function that computes a delay, and
// waits somewhere.
func waits(pass *analysis.Pass, delay types.Object) bool {
	called, waited := false, false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				callee, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
				called = called || callee != nil && callee == delay
				waited = waited || callee != nil && slices.Contains([]string{"time.Sleep", "time.After", "time.NewTimer", "time.NewTicker", "(*time.Timer).Reset"}, callee.FullName())
			}
			return true
		})
	}
	return called && waited
}
