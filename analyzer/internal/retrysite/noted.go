package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// onlyNoted says whether nothing depends on a call's error: it is declared in
// the loop and all that is done about it is to say so.
//
//	if err := c.sendBye(); err != nil {
//		log.Print(err)
//	}
func (f *finder) onlyNoted(g *graph, l *loop, call *ast.CallExpr, ei int) bool {
	p := g.at[call]
	as, ok := p.block.Nodes[p.index].(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != ast.Expr(call) || ei < 0 || ei >= len(as.Lhs) {
		return false
	}
	v, ok := objectOf(f.info, as.Lhs[ei]).(*types.Var)
	if !ok || v.Pos() < l.node.Pos() || v.Pos() >= l.node.End() {
		return false
	}
	if f.asksForAnswer(l, as, ei) {
		return false
	}
	// The next thing that is asked of the error is whether it is one.
	var note *ast.IfStmt
	inspectOwn(l.node, func(n ast.Node) {
		s, ok := n.(*ast.IfStmt)
		if ok && s.Cond.Pos() > as.Pos() && (note == nil || s.Pos() < note.Pos()) && asksNotNil(f.info, s.Cond, v) {
			note = s
		}
	})
	if note == nil || note.Else != nil {
		return false
	}
	for _, s := range note.Body.List {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		if c, isCall := e.X.(*ast.CallExpr); !isCall || neverReturns(f.info, c) || errorIndex(f.info, c) >= 0 || fullName(calleeOf(f.info, c)) == "time.Sleep" {
			return false // the next round waits for a failure to pass
		}
	}
	return !f.readElsewhere(l, v, as, note)
}

// asksForAnswer says whether the loop goes on, or is left, by whether a call gave
// anything beside its error: for conn == nil, if conn != nil { break }.
func (f *finder) asksForAnswer(l *loop, as *ast.AssignStmt, ei int) (found bool) {
	asks := func(cond ast.Expr) {
		ast.Inspect(cond, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ || !f.info.Types[b.Y].IsNil() {
				return !found
			}
			asked := objectOf(f.info, b.X)
			for i, e := range as.Lhs {
				found = found || i != ei && asked != nil && objectOf(f.info, e) == asked
			}
			return !found
		})
	}
	if loop, ok := l.node.(*ast.ForStmt); ok && loop.Cond != nil {
		asks(loop.Cond)
	}
	inspectOwn(l.node, func(n ast.Node) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Pos() < as.End() {
			return
		}
		for _, stmt := range branch.Body.List {
			if jump, ok := stmt.(*ast.BranchStmt); ok && jump.Tok == token.BREAK {
				asks(branch.Cond)
			}
			if _, ok := stmt.(*ast.ReturnStmt); ok {
				asks(branch.Cond)
			}
		}
	})
	return found
}

func asksNotNil(info *types.Info, cond ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && objectOf(info, b.X) == types.Object(v) && info.Types[b.Y].IsNil()
}

// readElsewhere says whether v is read after its assignment, outside of a
// statement and before it is given another value.
func (f *finder) readElsewhere(l *loop, v *types.Var, from *ast.AssignStmt, but ast.Node) bool {
	first := token.NoPos
	ast.Inspect(l.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && f.info.ObjectOf(id) == types.Object(v) && id.Pos() >= from.End() && !contains(but, id) && (!first.IsValid() || id.Pos() < first) {
			first = id.Pos()
		}
		return true
	})
	return first.IsValid() && !f.overwrites(l, v, first)
}

// overwrites says whether what stands at pos is the left side of an assignment
// that gives v a value which has nothing to do with its last one.
func (f *finder) overwrites(l *loop, v *types.Var, pos token.Pos) (found bool) {
	ast.Inspect(l.node, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, e := range as.Lhs {
			if e.Pos() == pos {
				found = !slices.ContainsFunc(as.Rhs, func(r ast.Expr) bool { return mentionsVar(f.info, r, v) })
			}
		}
		return true
	})
	return found
}
