package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// always says whether every way from a failure back to the operation comes by
// one of some statements.
func (t *targeter) always(stmts ...ast.Node) bool { return t.fail.comesBy(stmts...) }

// comesBy says whether every way of a walk back to the operation comes by one
// of some statements.
func (w *walk) comesBy(stmts ...ast.Node) bool {
	at := w.g.at[w.op]
	passes := func(n *pathNode) bool {
		for i := n.from; i < len(n.block.Nodes); i++ {
			if n.repeat && n.block == at.block && i >= at.index {
				return false
			}
			if slices.Contains(stmts, n.block.Nodes[i]) {
				return true
			}
		}
		return false
	}
	seen := make(map[*pathNode]bool)
	var work []*pathNode
	for _, n := range w.nodes {
		if n.repeat && !passes(n) {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if n == w.nodes[0] {
			return false // from the operation itself
		}
		for _, p := range n.preds {
			if !passes(p) {
				work = append(work, p)
			}
		}
	}
	return true
}

// shrinks says whether each failure takes something off a list, so that what
// was drawn from it does not come back: list = list[:len(list)-1].
func (t *targeter) shrinks(list ast.Expr) (found bool) {
	of := refOf(t.f.info, list)
	if of.root == nil {
		return false
	}
	ast.Inspect(t.l.node, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != len(as.Rhs) || !t.inLoop(as) {
			return !found
		}
		for i, l := range as.Lhs {
			if refOf(t.f.info, l) == of && t.isPart(as.Rhs[i], of) && t.always(as) {
				found = true
			}
		}
		return !found
	})
	return found
}

// isPart says whether e is a list without some of its elements. A list that is
// emptied (list[:0]) is filled again.
func (t *targeter) isPart(e ast.Expr, list ref) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if refOf(t.f.info, e.X) != list {
			return false
		}
		if e.Low != nil && !isZero(t.f.info, e.Low) {
			return true
		}
		return e.High != nil && !isZero(t.f.info, e.High)
	case *ast.CallExpr:
		switch callee := calleeOf(t.f.info, e); {
		case callee != nil && pkgPath(callee) == "slices" && strings.HasPrefix(callee.Name(), "Delete"):
			return len(e.Args) > 0 && refOf(t.f.info, e.Args[0]) == list
		case isBuiltin(t.f.info, e, "append") && len(e.Args) == 2 && e.Ellipsis.IsValid():
			rest, ok := ast.Unparen(e.Args[1]).(*ast.SliceExpr)
			return ok && refOf(t.f.info, rest.X) == list && t.isPart(e.Args[0], list)
		}
	}
	return false
}

func isZero(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.String() == "0"
}

func isBuiltin(info *types.Info, call *ast.CallExpr, name string) bool {
	b, ok := objectOf(info, call.Fun).(*types.Builtin)
	return ok && b.Name() == name
}

// leavesOnSame says whether the loop leaves when v is what it was at the last
// failure:
//
//	if v == last { return err }
//	...
//	last = v
func (t *targeter) leavesOnSame(v *types.Var) (found bool) {
	ast.Inspect(t.l.node, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || found || len(s.Body.List) == 0 {
			return !found
		}
		switch last := s.Body.List[len(s.Body.List)-1].(type) {
		case *ast.ReturnStmt:
		case *ast.BranchStmt:
			if last.Tok != token.BREAK {
				return true
			}
		default:
			return true
		}
		eq, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
		if !ok || eq.Op != token.EQL || !t.always(s.Cond) {
			return true
		}
		x, y := objectOf(t.f.info, eq.X), objectOf(t.f.info, eq.Y)
		if y == types.Object(v) {
			x, y = y, x
		}
		last, ok := y.(*types.Var)
		if !ok || x != types.Object(v) {
			return true
		}
		for _, a := range t.f.valuesOf(t.g.fn, last) {
			if a.expr != nil && t.inLoop(a.node) && objectOf(t.f.info, a.expr) == types.Object(v) && t.always(a.node) {
				found = true
			}
		}
		return !found
	})
	return found
}

// excludes says whether a call that gives v its value is told by a list or map
// which ones were tried, so that it chooses another.
func (t *targeter) excludes(v *types.Var, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || call == t.op {
		return false
	}
	for _, a := range call.Args {
		w, ok := objectOf(t.f.info, a).(*types.Var)
		if ok && w != v && isCollection(w.Type()) && (t.stores(w, v) || t.comesFrom(a, v, make(map[*types.Var]bool))) {
			return true
		}
	}
	return false
}

// isCollection says whether things are kept in a type; bytes are none.
func isCollection(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return !ok || b.Kind() != types.Byte
	}
	return false
}

// stores says whether the loop notes v, or what is computed from it, in a map.
func (t *targeter) stores(in, v *types.Var) (found bool) {
	ast.Inspect(t.l.node, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || !t.inLoop(as) {
			return !found
		}
		for _, l := range as.Lhs {
			index, ok := ast.Unparen(l).(*ast.IndexExpr)
			if ok && objectOf(t.f.info, index.X) == types.Object(in) && t.comesFrom(index.Index, v, make(map[*types.Var]bool)) && t.always(as) {
				found = true
			}
		}
		return !found
	})
	return found
}

// comesFrom says whether e is computed from v within the loop.
func (t *targeter) comesFrom(e ast.Expr, v *types.Var, seen map[*types.Var]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		u, ok := t.f.info.ObjectOf(id).(*types.Var)
		switch {
		case !ok || u.IsField() || seen[u] || isError(u.Type()) || isContext(u.Type()):
		case u == v:
			found = true
		default:
			seen[u] = true
			for _, a := range t.f.valuesOf(t.g.fn, u) {
				if a.expr != nil && t.inLoop(a.node) && t.comesFrom(a.expr, v, seen) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// byLength says whether the loop goes on as long as a list has elements, or for
// as many rounds as it has.
func (t *targeter) byLength() bool {
	for _, cond := range loopConditions(t.l) {
		if t.f.asksLength(t.g.fn, cond) {
			return true
		}
	}
	return false
}

// asksLength says whether e asks for the length of a list, be it through a
// function of the package that does nothing else, or that gives it beside
// something else.
func (f *finder) asksLength(fn *Func, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := f.info.ObjectOf(n).(*types.Var)
			if !ok || v.IsField() || !isInteger(v.Type()) {
				break
			}
			values := f.valuesOf(fn, v)
			for _, a := range values {
				call, ok := a.expr.(*ast.CallExpr)
				switch {
				case !ok:
				case a.index >= 0:
					found = found || f.givesLength(call, a.index)
				case len(values) == 1: // tries := len(nodes)
					found = found || isBuiltin(f.info, call, "len")
				}
			}
		case *ast.CallExpr:
			found = found || isBuiltin(f.info, n, "len") || f.givesLength(n, 0)
		}
		return !found
	})
	return found
}

// givesLength says whether a call's result is the length of a list, which is
// what a function of the package returns at its end.
func (f *finder) givesLength(call *ast.CallExpr, index int) bool {
	fn := f.res.FuncOf(calleeOf(f.info, call))
	if fn == nil || fn.Body() == nil {
		return false
	}
	ret, ok := lastOf(fn.Body().List).(*ast.ReturnStmt)
	if !ok || index >= len(ret.Results) || index == 0 && len(ret.Results) > 1 {
		return false
	}
	of, ok := ast.Unparen(ret.Results[index]).(*ast.CallExpr)
	return ok && isBuiltin(f.info, of, "len")
}

func lastOf(stmts []ast.Stmt) ast.Stmt {
	if len(stmts) == 0 {
		return nil
	}
	return stmts[len(stmts)-1]
}
