package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// goesThrough says whether an index is the counter of the loop itself, or what
// it ranges over.
func (t *targeter) goesThrough(index ast.Expr) bool {
	v, ok := objectOf(t.f.info, index).(*types.Var)
	if r, ranges := t.l.node.(*ast.RangeStmt); ok && ranges && !countsAttempts(v.Name()) {
		return v == varOf(t.f.info, r.Key) || v == varOf(t.f.info, r.Value)
	}
	loop, isFor := t.l.node.(*ast.ForStmt)
	if !ok || !isFor || loop.Init == nil || countsAttempts(v.Name()) {
		return false
	}
	step, ok := loop.Post.(*ast.IncDecStmt)
	return ok && objectOf(t.f.info, step.X) == v
}

// goesRound says whether an element is the next one of a list that the loop goes
// through once, beginning anywhere: list[(i+from)%len(list)], or list[at] where at
// is made so in each round, whichever way.
func (t *targeter) goesRound(e *ast.IndexExpr) bool {
	if t.goesRoundBy(e.Index, e.X) {
		return true
	}
	at := varOf(t.f.info, e.Index)
	if at == nil || at.IsField() || isPackageLevel(at) {
		return false
	}
	made := 0
	for _, a := range t.f.valuesOf(t.g.fn, at) {
		if a.expr == nil || !t.inLoop(a.node) || !t.goesThrough(a.expr) && !t.goesRoundBy(a.expr, e.X) {
			return false
		}
		made++
	}
	return made > 0
}

func (t *targeter) goesRoundBy(index, list ast.Expr) bool {
	rest, ok := ast.Unparen(index).(*ast.BinaryExpr)
	if !ok || rest.Op != token.REM || !t.isLength(rest.Y, list) {
		return false
	}
	var counter *types.Var
	switch l := t.l.node.(type) {
	case *ast.RangeStmt:
		if refOf(t.f.info, l.X) == refOf(t.f.info, list) || t.isLength(l.X, list) {
			counter = varOf(t.f.info, l.Key)
		}
	case *ast.ForStmt:
		cond, ok := l.Cond.(*ast.BinaryExpr)
		if ok && cond.Op == token.LSS && t.isLength(cond.Y, list) {
			counter = varOf(t.f.info, cond.X)
		}
	}
	return counter != nil && mentionsVar(t.f.info, rest.X, counter)
}

// goesRing says whether the loop goes from one element to the next until it is
// back at the first, and asks the element at hand before the operation:
//
//	for e := head; e != nil; {
//		conn := dial(e.Value)
//		...
//		if e = list.Front(); e == head {
//			break
func (t *targeter) goesRing() bool {
	loop, ok := t.l.node.(*ast.ForStmt)
	if !ok {
		return false
	}
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return false
	}
	at, first := varOf(t.f.info, init.Lhs[0]), varOf(t.f.info, init.Rhs[0])
	if at == nil || first == nil || isInteger(at.Type()) {
		return false
	}
	steps, ends, asked := false, false, false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			steps = steps || n.Tok == token.ASSIGN && len(n.Lhs) == 1 && varOf(t.f.info, n.Lhs[0]) == at
		case *ast.BinaryExpr:
			x, y := varOf(t.f.info, n.X), varOf(t.f.info, n.Y)
			ends = ends || (n.Op == token.EQL || n.Op == token.NEQ) && (x == at && y == first || x == first && y == at)
		case *ast.SelectorExpr:
			asked = asked || n.Pos() < t.op.Pos() && varOf(t.f.info, n.X) == at
		}
		return true
	})
	return steps && ends && asked
}

// isLength says whether e is the length of a list.
func (t *targeter) isLength(e, list ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	of := refOf(t.f.info, list)
	return ok && of.root != nil && isBuiltin(t.f.info, call, "len") && refOf(t.f.info, call.Args[0]) == of
}
