package backoffcap

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// The limits that the fix sets. A shift by mostShift leaves room for a base of
// 39 hours.
const (
	limit     = 30 * time.Second
	mostShift = 16
)

// fix limits what grows where it grows: a product or a sum that is kept, or a
// shift or a power of two by the number of the attempt. It is nil where the
// wait is no time.Duration there, where the function knows a longer wait than
// the limit, and where a setting that is there but not applied is what the
// author meant.
func fix(pass *analysis.Pass, g retrysite.Growth) *analysis.SuggestedFix {
	if g.Func == nil || g.Node == nil || g.Extern != nil {
		return nil
	}
	body, pos := g.Func.Body(), g.Node.Pos()
	timePkg := edit.Imported(pass, pos, "time")
	if timePkg == "" || !edit.Builtin(pass, pos, "min") || !edit.Go(pass, pos, "go1.21") || !shortWaits(pass, body) || hasOwnLimit(g.Func, pass) {
		return nil
	}
	most := fmt.Sprintf("%d*%s.Second", limit/time.Second, timePkg)
	var edits []analysis.TextEdit
	if assign, ok := g.Node.(*ast.AssignStmt); ok {
		edits = limitAssignment(pass, assign, most)
	} else if e, ok := g.Node.(ast.Expr); ok {
		edits = limitExpr(pass, body, e, most)
	}
	if edits == nil {
		return nil
	}
	return &analysis.SuggestedFix{Message: "Limit the wait to 30 seconds", TextEdits: edits}
}

// limitAssignment rewrites delay *= 2 to delay = min(delay*2, limit).
func limitAssignment(pass *analysis.Pass, assign *ast.AssignStmt, most string) []analysis.TextEdit {
	op := map[token.Token]string{token.MUL_ASSIGN: "*", token.SHL_ASSIGN: "<<", token.ADD_ASSIGN: "+"}[assign.Tok]
	if op == "" || len(assign.Lhs) != 1 || !isDuration(pass.TypesInfo.TypeOf(assign.Lhs[0])) {
		return nil
	}
	if _, ok := edit.Path(assign.Lhs[0]); !ok {
		return nil
	}
	by := edit.Source(pass, assign.Rhs[0])
	if _, binary := ast.Unparen(assign.Rhs[0]).(*ast.BinaryExpr); binary {
		by = "(" + by + ")"
	}
	kept := edit.Source(pass, assign.Lhs[0])
	return []analysis.TextEdit{{Pos: assign.Pos(), End: assign.End(), NewText: fmt.Appendf(nil, "%s = min(%[1]s%s%s, %s)", kept, op, by, most)}}
}

// limitExpr wraps the whole duration that grows in e by a min, and keeps what
// it grows by from overflowing it first.
func limitExpr(pass *analysis.Pass, body *ast.BlockStmt, e ast.Expr, most string) []analysis.TextEdit {
	whole := wholeDuration(pass, body, e)
	if whole == nil {
		return nil
	}
	var by ast.Expr // what has to stay small, so that nothing overflows before the limit is asked
	switch e := e.(type) {
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.SHL && pass.TypesInfo.Types[e.Y].Value == nil:
			by = e.Y
		case e.Op == token.SHL, e.Op == token.MUL, e.Op == token.ADD, e.Op == token.QUO: // builds on the wait before, which is limited
		default:
			return nil
		}
	case *ast.CallExpr:
		fn, _ := typeutil.Callee(pass.TypesInfo, e).(*types.Func)
		switch {
		case fn != nil && fn.FullName() == "math.Pow":
			if base := pass.TypesInfo.Types[e.Args[0]].Value; base == nil || constant.Compare(constant.ToFloat(base), token.GTR, constant.MakeFloat64(2)) {
				return nil // a larger base overflows sooner
			}
			by = e.Args[1]
		case !pass.TypesInfo.Types[e.Fun].IsType():
			return nil
		}
	default:
		return nil
	}
	closing := ", " + most + ")"
	edits := []analysis.TextEdit{{Pos: whole.Pos(), End: whole.Pos(), NewText: []byte("min(")}}
	if by != nil {
		edits = append(edits, analysis.TextEdit{Pos: by.Pos(), End: by.Pos(), NewText: []byte("min(")})
		small := fmt.Sprintf(", %d)", mostShift)
		if by.End() == whole.End() {
			closing = small + closing
		} else {
			edits = append(edits, analysis.TextEdit{Pos: by.End(), End: by.End(), NewText: []byte(small)})
		}
	}
	return append(edits, analysis.TextEdit{Pos: whole.End(), End: whole.End(), NewText: []byte(closing)})
}

// wholeDuration is the largest expression around e that is still the same
// computation, if it is a time.Duration.
func wholeDuration(pass *analysis.Pass, body *ast.BlockStmt, e ast.Expr) (whole ast.Expr) {
	for _, n := range edit.Around(body, e) {
		x, ok := n.(ast.Expr)
		if !ok {
			break
		}
		if n != ast.Node(e) {
			switch x := x.(type) {
			case *ast.BinaryExpr:
				switch x.Op {
				case token.MUL, token.ADD, token.SUB, token.QUO, token.SHR:
				default:
					return whole
				}
			case *ast.ParenExpr:
			case *ast.CallExpr:
				if !pass.TypesInfo.Types[x.Fun].IsType() {
					if fn, _ := typeutil.Callee(pass.TypesInfo, x).(*types.Func); fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math" {
						return whole
					}
				}
			default:
				return whole
			}
		}
		if isDuration(pass.TypesInfo.TypeOf(x)) {
			whole = x
		}
	}
	return whole
}

// shortWaits says whether no constant in the body is a longer duration than
// the limit, so that the limit is not below what was meant.
func shortWaits(pass *analysis.Pass, body *ast.BlockStmt) bool {
	short := true
	ast.Inspect(body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if tv := pass.TypesInfo.Types[e]; tv.Value != nil && isDuration(tv.Type) {
				if d, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact || time.Duration(d) > limit {
					short = false
				}
			}
		}
		return short
	})
	return short
}

// limitName matches settings for the longest wait.
var limitName = retrysite.Matcher(`(?i)max|limit|cap|ceil`)

// hasOwnLimit says whether what the function belongs to has a setting for the
// longest wait.
func hasOwnLimit(fn *retrysite.Func, pass *analysis.Pass) bool {
	recv := fn.Recv()
	if recv == nil || len(recv.List) == 0 {
		return false
	}
	t := pass.TypesInfo.TypeOf(recv.List[0].Type)
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range st.Fields() {
		if limitName(field.Name()) {
			return true
		}
	}
	return false
}

func isDuration(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Duration"
}
