package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// switched says whether each failure sets a flag that the operation is given,
// so that what is run again is another operation: commit = false before
// end(commit). A flag that only says that this is a retry tells the other side
// just that.
func (t *targeter) switched(v *types.Var) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok || b.Kind() != types.Bool {
		return false
	}
	name := strings.ToLower(v.Name())
	for _, s := range []string{"retry", "retri", "attempt", "again", "first"} {
		if strings.Contains(name, s) {
			return false
		}
	}
	var sets []ast.Node
	for _, a := range t.f.valuesOf(t.g.fn, v) {
		if a.expr != nil && t.f.info.Types[a.expr].Value != nil && t.inLoop(a.node) {
			sets = append(sets, a.node)
		}
	}
	return len(sets) > 0 && t.fail.repeats && t.always(sets...)
}

// onlyOnce is the bound that a flag puts on a loop: what comes back to the
// operation sets the flag, and only comes back while it is not set.
//
//	if err != nil && !renewed {
//		renewed = true
//		goto again
//	}
func (f *finder) onlyOnce(g *graph, l *loop, c *candidate) (a Attempts, cond ast.Expr) {
	inspectOwn(g.fn.Body(), func(n ast.Node) {
		s, ok := n.(*ast.IfStmt)
		if !ok || a.Kind != BoundUnknown {
			return
		}
		for _, flag := range notSet(f.info, s.Cond) {
			var sets []ast.Node
			inspectOwn(s.Body, func(n ast.Node) {
				if as, ok := n.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && refOf(f.info, as.Lhs[0]) == flag && isTrueLiteral(f.info, as.Rhs[0]) {
					sets = append(sets, as)
				}
			})
			if len(sets) > 0 && !f.setBack(l, flag) && c.comesBy(sets...) && c.comesBy(s.Cond) {
				a, cond = Attempts{Kind: BoundConst, Max: 2, Pos: s.Cond.Pos()}, s.Cond
			}
		}
	})
	return a, cond
}

// comesBy says whether whatever comes back to the operation comes by one of
// some statements, after a failure as after an answer that is none.
func (c *candidate) comesBy(stmts ...ast.Node) bool {
	return (!c.fail.repeats || c.fail.comesBy(stmts...)) && (!c.success.repeats || c.success.comesBy(stmts...))
}

// notSet are the flags of which a condition asks that they be false.
func notSet(info *types.Info, cond ast.Expr) []ref {
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LAND {
			return append(notSet(info, e.X), notSet(info, e.Y)...)
		}
	case *ast.UnaryExpr:
		if r := refOf(info, e.X); e.Op == token.NOT && r.root != nil {
			return []ref{r}
		}
	}
	return nil
}

// setBack says whether a loop gives a flag any value other than true.
func (f *finder) setBack(l *loop, flag ref) (found bool) {
	for b := range l.blocks {
		for _, n := range b.Nodes {
			as, ok := n.(*ast.AssignStmt)
			if !ok {
				continue
			}
			for i, lhs := range as.Lhs {
				if refOf(f.info, lhs) == flag && (len(as.Lhs) != len(as.Rhs) || !isTrueLiteral(f.info, as.Rhs[i])) {
					found = true
				}
			}
		}
	}
	return found
}

func isTrueLiteral(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.String() == "true"
}
