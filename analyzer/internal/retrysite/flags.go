package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// flags are what is known of the flags that a round declares before it comes to
// the operation: false, as long as nothing has set them by then.
func (w *walk) flags() state {
	var st state
	body := w.round()
	if body == nil {
		return st
	}
	for _, stmt := range body.List {
		if stmt.End() > w.op.Pos() {
			break
		}
		for _, v := range declaredFalse(w.info, stmt) {
			if !w.setBetween(body, v, stmt.End()) {
				st = st.with(ref{root: v}, value{is: isFalse})
			}
		}
	}
	return st
}

// unset adds what is false, or nil, for as long as the loop goes on: it is
// declared so before it, and where the loop sets it, it is left.
func (w *walk) unset(st state) state {
	before := w.around().node.Pos()
	inspectOwn(w.g.fn.Body(), func(n ast.Node) {
		stmt, ok := n.(ast.Stmt)
		if !ok || stmt.End() > before {
			return
		}
		for _, o := range append(declaredFalse(w.info, stmt), declaredNil(w.info, stmt)...) {
			if v, ok := o.(*types.Var); ok && w.setOnLeaving(v, stmt) {
				st = st.with(ref{root: v}, zeroOf(v.Type()))
			}
		}
	})
	return st
}

// declaredNil are the variables for a result other than an error that a
// statement declares to be nil: var conn *Conn.
func declaredNil(info *types.Info, stmt ast.Stmt) (list []types.Object) {
	decl, ok := stmt.(*ast.DeclStmt)
	if !ok {
		return nil
	}
	gen, ok := decl.Decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range gen.Specs {
		vars, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range vars.Names {
			if len(vars.Values) > 0 && (i >= len(vars.Values) || !info.Types[vars.Values[i]].IsNil()) {
				continue
			}
			if v := info.Defs[name]; v != nil && !isError(v.Type()) && (isPointer(v.Type()) || types.IsInterface(v.Type())) {
				list = append(list, v)
			}
		}
	}
	return list
}

// setOnLeaving says whether nothing but the end of the loop gives a variable
// another value than its declaration does.
func (w *walk) setOnLeaving(v *types.Var, decl ast.Stmt) bool {
	loop := w.around().blocks // those from which it can come back
	stays := make(map[ast.Node]bool)
	for b := range loop {
		for _, n := range b.Nodes {
			stays[n] = true
		}
	}
	sets, safe := 0, true
	ast.Inspect(w.g.fn.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if objectOf(w.info, l) == types.Object(v) && ast.Stmt(n) != decl {
					sets++
					safe = safe && !stays[n]
				}
			}
		case *ast.UnaryExpr:
			safe = safe && !(n.Op == token.AND && objectOf(w.info, n.X) == types.Object(v))
		case *ast.FuncLit:
			safe = safe && !mentionsVar(w.info, n, v)
			return false
		}
		return safe
	})
	return safe && sets > 0
}

// around is the loop that is walked, or the innermost one around the operation
// where the walk goes on to the end of the function.
func (w *walk) around() *loop {
	if !w.empty {
		return w.l
	}
	best := w.l
	for _, l := range w.g.loops {
		if l.blocks[w.g.at[w.op].block] && (best == w.l || len(l.blocks) < len(best.blocks)) {
			best = l
		}
	}
	return best
}

// round is the body of the innermost loop around the operation, nil if that is
// made of jumps.
func (w *walk) round() (body *ast.BlockStmt) {
	inspectOwn(w.g.fn.Body(), func(n ast.Node) {
		b := loopBody(n)
		if b != nil && contains(b, w.op) && (body == nil || contains(body, b)) {
			body = b
		}
	})
	return body
}

// declaredFalse are the bool variables that a statement declares to be false.
func declaredFalse(info *types.Info, stmt ast.Stmt) (list []types.Object) {
	add := func(id *ast.Ident, val ast.Expr) {
		v := info.Defs[id]
		if v == nil || zeroOf(v.Type()).is != isFalse {
			return
		}
		if tv := info.Types[val]; val == nil || tv.Value != nil && tv.Value.String() == "false" {
			list = append(list, v)
		}
	}
	switch s := stmt.(type) {
	case *ast.DeclStmt:
		decl, ok := s.Decl.(*ast.GenDecl)
		if !ok {
			break
		}
		for _, spec := range decl.Specs {
			vars, ok := spec.(*ast.ValueSpec)
			for i := 0; ok && i < len(vars.Names) && (len(vars.Values) == 0 || len(vars.Values) == len(vars.Names)); i++ {
				if len(vars.Values) == 0 {
					add(vars.Names[i], nil)
				} else {
					add(vars.Names[i], vars.Values[i])
				}
			}
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
			break
		}
		for i, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				add(id, s.Rhs[i])
			}
		}
	}
	return list
}

// setBetween says whether anything may give a variable another value before
// the operation is called: an assignment, its address, a function in the body.
func (w *walk) setBetween(body *ast.BlockStmt, v types.Object, from token.Pos) (found bool) {
	is := func(e ast.Expr) bool { return objectOf(w.info, e) == v }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || is(l) && from <= n.Pos() && n.Pos() < w.op.Pos()
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.FuncLit:
			ast.Inspect(n, func(n ast.Node) bool {
				as, ok := n.(*ast.AssignStmt)
				for i := 0; ok && i < len(as.Lhs); i++ {
					found = found || is(as.Lhs[i])
				}
				return !found
			})
			return false
		}
		return !found
	})
	return found
}
