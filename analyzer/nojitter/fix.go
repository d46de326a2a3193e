package nojitter

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix draws the wait at random where it is waited for: full jitter. It is nil
// where the duration is not drawn anew for each wait (a ticker, a library's
// setting), or is no time.Duration by itself.
func fix(pass *analysis.Pass, s *retrysite.Site, w *retrysite.Wait) *analysis.SuggestedFix {
	if w.Duration == nil || w.How == retrysite.WaitLibrary || !s.Contains(w.Duration.Pos()) || !waitedFor(pass, s, w.Duration) {
		return nil
	}
	known := signs{info: pass.TypesInfo, body: s.Func.Body(), shifts: w.Longest > 0}
	steady := w.Longest > 0 || w.Capped == retrysite.Yes || w.Grows == retrysite.No || w.Growth.Kind == retrysite.GrowthLinear // it can't overflow
	return draw(pass, w.Duration, w.HasConst && w.Const > 0 || steady && known.atLeast(w.Duration, 1))
}

// fixStored draws a stored delay at random. One that is made from the delay
// before is left alone: its growth would depend on chance.
func fixStored(pass *analysis.Pass, d *retrysite.StoredDelay) *analysis.SuggestedFix {
	field := pass.TypesInfo.ObjectOf(d.Node.Lhs[0].(*ast.SelectorExpr).Sel)
	itself := false
	ast.Inspect(d.Node.Rhs[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(id) == field {
			itself = true
		}
		return !itself
	})
	if itself {
		return nil
	}
	return draw(pass, d.Node.Rhs[0], false)
}

// draw wraps a duration by rand.N, which wants it to be positive.
func draw(pass *analysis.Pass, e ast.Expr, positive bool) *analysis.SuggestedFix {
	pos := e.Pos()
	if !edit.Go(pass, pos, "go1.22") || !isDuration(ownType(pass, e)) {
		return nil
	}
	if !positive && !edit.Builtin(pass, pos, "max") {
		return nil
	}
	rand, edits, ok := edit.Import(pass, pos, "math/rand/v2")
	if !ok {
		return nil
	}
	before, after := rand+".N(", ")"
	if !positive {
		before, after = before+"max(", ", 1))"
	}
	return &analysis.SuggestedFix{
		Message: "Draw the wait at random (full jitter)",
		TextEdits: append(edits,
			analysis.TextEdit{Pos: e.Pos(), End: e.Pos(), NewText: []byte(before)},
			analysis.TextEdit{Pos: e.End(), End: e.End(), NewText: []byte(after)}),
	}
}

// waitedFor says whether the duration is an argument of what waits, or sets a
// timer, once.
func waitedFor(pass *analysis.Pass, s *retrysite.Site, e ast.Expr) bool {
	around := edit.Around(s.Node, e)
	if len(around) < 2 {
		return false
	}
	call, ok := around[1].(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) == e {
		return false
	}
	fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok {
		return false
	}
	switch fn.FullName() {
	case "time.Sleep", "time.After", "time.NewTimer", "(*time.Timer).Reset":
		return true
	}
	return fn.Pkg() != nil && fn.Pkg().Path() != "time" // a helper that sleeps
}

// ownType is the type of an expression for itself: an untyped constant takes
// on the type that its place wants.
func ownType(pass *analysis.Pass, e ast.Expr) types.Type {
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(pass.Fset, pass.Pkg, e.Pos(), e, info); err != nil {
		return nil
	}
	return info.Types[e].Type
}

func isDuration(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Duration"
}
