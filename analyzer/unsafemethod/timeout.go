package unsafemethod

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// afterTimeout reports whether a site sends its request again where the error says
// that it took too long: of all failures the one after which the server may well
// have done what it was asked.
func afterTimeout(info *types.Info, s *retrysite.Site) bool {
	return slices.ContainsFunc(s.Inspections, func(in retrysite.Inspection) bool {
		return in.Only && in.Stops && requiresTimeout(info, in.Expr)
	})
}

// requiresTimeout reports whether a condition holds only for an error that says of
// itself, by the method of net.Error, that it is a timeout.
func requiresTimeout(info *types.Info, cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.LAND && (requiresTimeout(info, e.X) || requiresTimeout(info, e.Y))
	case *ast.CallExpr:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Timeout" && len(e.Args) == 0 && info.Selections[sel] != nil
	}
	return false
}
