package retrysite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// deadSelect says whether b is the way past a select's last case, which no
// execution takes unless there is a default.
func (w *walk) deadSelect(b *cfg.Block) bool {
	cc, ok := b.Stmt.(*ast.CommClause)
	return ok && b.Kind == cfg.KindSelectAfterCase && w.g.lastCase[cc]
}

// typeCase gives the operand of a type switch when b chooses one of its cases,
// and whether that case is nil.
func (g *graph) typeCase(info *types.Info, b *cfg.Block) (x ast.Expr, isNilCase bool) {
	if len(b.Succs) != 2 {
		return nil, false
	}
	cc, ok := b.Succs[0].Stmt.(*ast.CaseClause)
	if !ok || b.Succs[0].Kind != cfg.KindSwitchCaseBody || len(cc.List) == 0 {
		return nil, false
	}
	tv, ok := info.Types[cc.List[0]]
	if !ok || !(tv.IsType() || tv.IsNil()) {
		return nil, false
	}
	if _, tagged := g.tags[cc.List[0]]; tagged {
		return nil, false
	}
	ts, one := g.typeSwitch(cc), g.caseOf(b, cc)
	if ts == nil {
		return nil, false
	}
	switch a := ts.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	}
	return x, info.Types[one].IsNil()
}

// caseVar is the variable that a clause of a type switch has for its operand.
func (w *walk) caseVar(b *cfg.Block) ref {
	return ref{root: w.info.Implicits[b.Succs[0].Stmt]}
}

// caseOf is the expression of a type switch's clause that b asks about: the
// graph has a block for each, in their order.
func (g *graph) caseOf(b *cfg.Block, cc *ast.CaseClause) ast.Expr {
	i := 0
	for _, other := range g.cfg.Blocks {
		if other == b {
			break
		}
		if len(other.Succs) == 2 && other.Succs[0] == b.Succs[0] {
			i++
		}
	}
	return cc.List[min(i, len(cc.List)-1)]
}

// typeSwitch is the type switch to which a clause belongs.
func (g *graph) typeSwitch(cc *ast.CaseClause) (found *ast.TypeSwitchStmt) {
	inspectOwn(g.fn.Body(), func(n ast.Node) {
		if ts, ok := n.(*ast.TypeSwitchStmt); ok && ts.Pos() <= cc.Pos() && cc.End() <= ts.End() {
			for _, c := range ts.Body.List {
				if c == ast.Stmt(cc) {
					found = ts
				}
			}
		}
	})
	return found
}
