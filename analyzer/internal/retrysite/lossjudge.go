package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// collect judges the returns that were reached.
func (lw *lossWalk) collect() {
	seen := make(map[ast.Node]bool)
	fn := lw.w.g.fn
	index, isBool := lw.f.errorResult(fn)
	if index < 0 && !isBool {
		return
	}
	promised := false
	if d := fn.Declaration(); d != nil && d.Doc != nil && fn.Lit == nil {
		promised = promisesLast(d.Doc.Text())
	}
	type verdict struct {
		loss Loss
		kept bool
	}
	verdicts := make(map[*ast.ReturnStmt]*verdict)
	var order []*ast.ReturnStmt
	for _, n := range lw.w.nodes {
		st := lw.at[n]
		if st == nil || n.repeat || len(n.block.Nodes) == 0 {
			continue
		}
		r, ok := n.block.Nodes[len(n.block.Nodes)-1].(*ast.ReturnStmt)
		if !ok {
			continue
		}
		out := st.clone()
		vals := n.st
		for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)) : len(n.block.Nodes)-1] {
			lw.transfer(out, x, n == lw.w.nodes[0])
			vals = lw.w.transfer(vals, x)
		}
		v := verdicts[r]
		if v == nil {
			v = &verdict{}
			verdicts[r] = v
			order = append(order, r)
		}
		loss, kept := lw.judge(out, vals, r, index, isBool)
		if kept || lw.translates(r) {
			v.kept = true
			continue
		}
		loss.Promised = promised
		if v.loss.How == 0 || loss.By > v.loss.By {
			v.loss = loss
		}
	}
	kept := make(map[*ast.ReturnStmt]bool)
	for r, v := range verdicts {
		kept[r] = v.kept
	}
	for _, r := range order {
		v := verdicts[r]
		if v.loss.How == LossNil && lw.optedOut(r, kept) {
			v.kept = true
		}
		lw.s.Exhaustion.Returns = append(lw.s.Exhaustion.Returns, r)
		if !v.kept && v.loss.How != 0 && !seen[r] {
			seen[r] = true
			lw.s.Losses = append(lw.s.Losses, v.loss)
		}
	}
	if !slices.ContainsFunc(lw.s.Losses, func(l Loss) bool { return l.How == LossNew && l.By == LossByBound }) {
		lw.s.Losses = append(lw.s.Losses, lw.overwrites()...)
	}
}

// translates says whether a return stands where the error was found to be a
// certain one: what is returned in its place says the same in other words.
func (lw *lossWalk) translates(r *ast.ReturnStmt) bool {
	for _, n := range enclosingPath(lw.w.g.fn.Body(), r) {
		branch, ok := n.(*ast.IfStmt)
		if !ok {
			continue
		}
		if !contains(branch.Body, r) || lastOf(branch.Body.List) != ast.Stmt(r) {
			return false
		}
		for _, part := range conjuncts(branch.Cond) {
			in, looks := lw.f.inspection(lw.w.g.fn, part)
			switch {
			case !looks:
			case in.How == InspectIs, in.How == InspectAs, in.How == InspectType, in.How == InspectSentinel:
				_, negated := ast.Unparen(part).(*ast.UnaryExpr)
				b, compared := ast.Unparen(part).(*ast.BinaryExpr)
				if !negated && !(compared && b.Op != token.EQL) {
					return true
				}
			}
		}
		return false
	}
	return false
}

// conjuncts are the operands of a condition that all have to be true.
func conjuncts(e ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// judge says what a return has of the last error. Kept is also what could not
// be followed.
func (lw *lossWalk) judge(st *lossNode, vals state, r *ast.ReturnStmt, index int, isBool bool) (loss Loss, kept bool) {
	fn := lw.w.g.fn
	loss = Loss{Node: r}
	switch {
	case st.by[LossByBound]:
		loss.By = LossByBound
	case st.by[LossByContext]:
		loss.By = LossByContext
	case st.by[LossByTimer]:
		loss.By = LossByTimer
	case st.by[LossByStop]:
		loss.By = LossByStop
	case st.by[LossByOnce]:
		loss.By = LossByOnce
	}
	if isBool {
		if st.logged || st.stored || len(r.Results) != 1 || lw.w.eval(vals, r.Results[0]).is != isFalse {
			return loss, true
		}
		loss.How, loss.Expr = LossBool, r.Results[0]
		return loss, false
	}
	var e ast.Expr
	switch {
	case len(r.Results) == 0:
		e = lw.f.resultName(fn, index)
	case len(r.Results) == 1 && index > 0:
		return loss, true // return f()
	case index < len(r.Results):
		e = r.Results[index]
	}
	if e == nil {
		return loss, true
	}
	for _, other := range r.Results { // the failure may be told by another result
		if other != e && lw.holds(st, other) == heldAll {
			return loss, true
		}
	}
	loss.Expr = e
	switch lw.holds(st, e) {
	case heldAll:
		return loss, true
	case heldText:
		if lw.f.keepsText(e) {
			return loss, true
		}
		loss.How = LossText
		loss.Verb, loss.VerbArg = lw.verb(st, e)
		return loss, false
	}
	if v := lw.shadowed(e); v != nil {
		loss.How, loss.Var = LossShadow, v
		return loss, false
	}
	if st.stored {
		return loss, true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if lw.w.eval(vals, x).is == isNil {
			if st.logged && !lw.overwrittenInside(x) {
				return loss, true
			}
			loss.How = LossNil
			return loss, false
		}
		if lw.w.sentinel(x) && !st.logged {
			loss.How = LossSentinel
			return loss, false
		}
		if v, ok := lw.f.info.ObjectOf(x).(*types.Var); ok && lw.owns(v) && st.made[v] == madeNew {
			loss.How = LossNew
			return loss, false
		} else if ok && lw.owns(v) && st.made[v] == madeContext {
			loss.How = LossContext
			return loss, false
		}
	case *ast.SelectorExpr:
		if lw.w.sentinel(x) && !st.logged {
			loss.How = LossSentinel
			return loss, false
		}
	case *ast.CallExpr:
		callee := calleeOf(lw.f.info, x)
		switch {
		case isContextErr(callee):
			loss.How, loss.OwnDeadline = LossContext, !st.logged && lw.setDeadline(x)
			return loss, false
		case lw.f.makesError(x):
			loss.How = LossNew
			return loss, false
		}
	}
	return loss, true
}

// overwrittenInside says whether e is the variable with the operation's error,
// and another step of the loop is what made it nil: a success of that step which
// nobody meant to return.
func (lw *lossWalk) overwrittenInside(e *ast.Ident) bool {
	v, ok := lw.f.info.ObjectOf(e).(*types.Var)
	if !ok || !lw.w.errVars()[v] {
		return false
	}
	return !slices.ContainsFunc(lw.f.valuesOf(lw.w.g.fn, v), func(a assigned) bool { return a.node.Pos() > lw.s.End() })
}

// setDeadline says whether the context of which a call gives the error got its
// deadline from the function itself, for all of the attempts.
func (lw *lossWalk) setDeadline(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v := varOf(lw.f.info, sel.X)
	if v == nil || v.IsField() || !lw.owns(v) || lw.s.Contains(v.Pos()) {
		return false
	}
	made := false
	for _, a := range lw.f.valuesOf(lw.w.g.fn, v) {
		call, ok := ast.Unparen(a.expr).(*ast.CallExpr)
		if a.expr == nil || !ok || lw.s.Contains(call.Pos()) {
			return false
		}
		switch fullName(calleeOf(lw.f.info, call)) {
		case "context.WithTimeout", "context.WithDeadline":
			made = true
		default:
			return false
		}
	}
	return made
}

// shadowed is a local error variable in e that nothing ever assigns, while the
// loop declares another of the same name.
func (lw *lossWalk) shadowed(e ast.Expr) (found *types.Var) {
	errs := lw.w.errVars()
	inspectOwn(e, func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || found != nil {
			return
		}
		v, ok := lw.f.info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || isPackageLevel(v) || !isError(v.Type()) || lw.f.paramOf(lw.w.g.fn, v) != nil || !lw.owns(v) {
			return
		}
		if len(lw.f.valuesOf(lw.w.g.fn, v)) > 0 || lw.f.addressTaken(lw.w.g.fn, v) {
			return
		}
		for o := range errs {
			if o.Name() == v.Name() && o != types.Object(v) {
				found = v
			}
		}
	})
	return found
}

func (f *finder) addressTaken(fn *Func, v *types.Var) (found bool) {
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && rootVar(f.info, u.X) == v {
			found = true
		}
		return !found
	})
	return found
}

// errorResult is the index of the error among a function's results, -1 if it
// has none, and whether its one result is a bool.
func (f *finder) errorResult(fn *Func) (index int, isBool bool) {
	res := fn.Type().Results
	if res == nil {
		return -1, false
	}
	i, index := 0, -1
	for _, field := range res.List {
		t := f.info.TypeOf(field.Type)
		n := max(len(field.Names), 1)
		if t != nil && resultIsError(t) {
			index = i + n - 1
		}
		i += n
	}
	if index < 0 && i == 1 {
		t := f.info.TypeOf(res.List[0].Type)
		isBool = t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool])
	}
	return index, isBool
}

// resultName is the name of a result, nil if it has none.
func (f *finder) resultName(fn *Func, index int) ast.Expr {
	i := 0
	for _, field := range fn.Type().Results.List {
		for _, name := range field.Names {
			if i == index {
				return name
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return nil
}

// deferChangesResult says whether a deferred literal assigns a named result.
func (f *finder) deferChangesResult(fn *Func) (found bool) {
	if fn.Type().Results == nil {
		return false
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return
		}
		ast.Inspect(d, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, l := range as.Lhs {
				if v := rootVar(f.info, l); v != nil && fn.Type().Results.Pos() <= v.Pos() && v.Pos() < fn.Type().Results.End() {
					found = true
				}
			}
			return true
		})
	})
	return found
}
