package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// recognised says whether the way from one node to the next is taken only where
// a predicate knows the error: that of an ended context is not what it looks
// for.
func (w *walk) recognised(from, to *pathNode) bool {
	if from.cond == nil || !from.outcome || from.ways[0] == from.ways[1] {
		return false
	}
	return w.affirms(w.condition(from.cond), from.ways[0] == to)
}

// affirms says whether a condition that is found to be so has a predicate on an
// error say yes.
func (w *walk) affirms(cond ast.Expr, is bool) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && w.affirms(e.X, !is)
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && is, e.Op == token.LOR && !is:
			return w.affirms(e.X, is) || w.affirms(e.Y, is)
		case e.Op == token.LAND, e.Op == token.LOR:
			return w.affirms(e.X, is) && w.affirms(e.Y, is)
		}
	case *ast.Ident:
		v, ok := w.info.ObjectOf(e).(*types.Var)
		return is && ok && w.assertedOK(v)
	case *ast.CallExpr:
		for _, a := range e.Args {
			if is && isError(w.info.TypeOf(a)) {
				return true
			}
		}
	}
	return false
}

// counting is how a loop counts its rounds: for i := 0; i < n; i++, for i := range
// n, for i := range list.
type counting struct {
	counter  *types.Var
	bound    ast.Expr // n, or len(list)
	included bool     // i <= n
	body     *ast.BlockStmt
}

// counting is that of the loop around the operation; not ok if that counts
// otherwise, or if its body changes what is counted.
func (w *walk) counting() (c counting, ok bool) {
	switch loop := w.around().node.(type) {
	case *ast.ForStmt:
		c.body, c.counter = loop.Body, countedUp(w.info, loop.Post)
		c.bound, c.included = boundOf(w.info, loop.Cond, c.counter)
	case *ast.RangeStmt:
		c.body = loop.Body
		if loop.Key == nil {
			return c, false
		}
		c.counter, c.bound = varOf(w.info, loop.Key), loop.X
		switch t := w.info.TypeOf(loop.X).Underlying().(type) {
		case *types.Basic:
			if t.Info()&types.IsInteger == 0 {
				return c, false
			}
		case *types.Slice, *types.Array:
			c.bound = &ast.CallExpr{Fun: ast.NewIdent("len"), Args: []ast.Expr{loop.X}}
		default:
			return c, false
		}
	}
	return c, c.counter != nil && c.bound != nil && !w.sets(c.body, c.counter) && !w.sets(c.body, varOf(w.info, c.bound))
}

// lastAttempt says which answer of a condition in the body of a counted loop
// makes the round the last one: in for i := 0; i < n; i++ it is no of i+1 < n,
// and in for i := 0; i <= n; i++ no of i < n.
func (w *walk) lastAttempt(cond ast.Expr) is {
	c, ok := w.counting()
	if !ok || cond == nil || contains(w.around().node, cond) && !contains(c.body, cond) {
		return isUnknown
	}
	asks, isComparison := ast.Unparen(cond).(*ast.BinaryExpr)
	if !isComparison {
		return isUnknown
	}
	counter, bound, included := c.counter, c.bound, c.included
	next, isSum := ast.Unparen(asks.X).(*ast.BinaryExpr)
	oneMore := isSum && next.Op == token.ADD && varOf(w.info, next.X) == counter && isOne(next.Y) && sameText(asks.Y, bound)
	less, isDifference := ast.Unparen(asks.Y).(*ast.BinaryExpr)
	oneLess := isDifference && less.Op == token.SUB && varOf(w.info, asks.X) == counter && isOne(less.Y) && sameText(less.X, bound)
	atBound := included && varOf(w.info, asks.X) == counter && sameText(asks.Y, bound)
	if !atBound && varOf(w.info, asks.X) == counter {
		if last, of := w.number(bound), w.number(asks.Y); last != nil && of != nil {
			if !included {
				*last--
			}
			switch {
			case asks.Op == token.GTR && *of == *last-1:
				return isTrue
			case asks.Op == token.LEQ && *of == *last-1:
				return isFalse
			}
			atBound = *of == *last
		}
	}
	if !atBound && (included || !oneMore && !oneLess) {
		return isUnknown
	}
	switch asks.Op {
	case token.LSS, token.NEQ:
		return isFalse
	case token.GEQ, token.EQL:
		return isTrue
	}
	return isUnknown
}

// onlyInLast says which answer of a condition is the only one that the last
// round can give, whatever else the condition asks: yes of i == n || done, no of
// i < n && again.
func (w *walk) onlyInLast(cond ast.Expr) is {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && (b.Op == token.LOR || b.Op == token.LAND) {
		sure := isTrue
		if b.Op == token.LAND {
			sure = isFalse
		}
		if w.onlyInLast(b.X) == sure || w.onlyInLast(b.Y) == sure {
			return sure
		}
		return isUnknown
	}
	return w.lastAttempt(cond)
}

// number is the value of a constant, nil if an expression is none.
func (w *walk) number(e ast.Expr) *int64 {
	v := w.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return nil
	}
	n, exact := constant.Int64Val(v)
	if !exact {
		return nil
	}
	return &n
}

// anotherRound is where a path keeps that a counted loop has another round, for
// it has come past the check for the last one.
func (w *walk) anotherRound() ref {
	if !w.empty {
		return ref{}
	}
	switch loop := w.around().node.(type) {
	case *ast.ForStmt:
		if v := countedUp(w.info, loop.Post); v != nil {
			return ref{root: v, path: " goes on"}
		}
	case *ast.RangeStmt:
		if c, ok := w.counting(); ok {
			return ref{root: c.counter, path: " goes on"}
		}
	}
	return ref{}
}

// goesOn says whether a condition is the bound of a counted loop which is known
// to have another round.
func (w *walk) goesOn(st state, cond ast.Expr) bool {
	r := w.anotherRound()
	if r.root == nil || st.of(r).is != isTrue {
		return false
	}
	loop, ok := w.around().node.(*ast.ForStmt)
	if !ok || loop.Cond == nil || !contains(loop.Cond, cond) {
		return false
	}
	bound, _ := boundOf(w.info, cond, r.root.(*types.Var))
	return bound != nil
}

// hasNext says whether a range loop is known to have another round.
func (w *walk) hasNext(st state, loop *ast.RangeStmt) bool {
	r := w.anotherRound()
	return r.root != nil && st.of(r).is == isTrue && w.around().node == ast.Node(loop)
}

// asksTheSame says whether a condition in the body of a counted loop is the one
// by which the loop goes on, and so is true in each round, the last one too:
//
//	for i := 0; i < n; i++ {
//		...
//		if i < n {
//			time.Sleep(delay)
func (w *walk) asksTheSame(cond ast.Expr) bool {
	loop, ok := w.around().node.(*ast.ForStmt)
	if !ok || loop.Post == nil || !contains(loop.Body, cond) {
		return false
	}
	own, ok := ast.Unparen(loop.Cond).(*ast.BinaryExpr)
	asked, isComparison := ast.Unparen(cond).(*ast.BinaryExpr)
	counter := countedUp(w.info, loop.Post)
	if !ok || !isComparison || own.Op != asked.Op || counter == nil || varOf(w.info, own.X) != counter || varOf(w.info, asked.X) != counter {
		return false
	}
	bound := refOf(w.info, own.Y)
	if bound.root == nil || bound != refOf(w.info, asked.Y) {
		return false
	}
	for _, v := range []types.Object{counter, bound.root} {
		if v, ok := v.(*types.Var); !ok || w.sets(loop.Body, v) {
			return false
		}
	}
	return true
}

// undecided is what is still asked of a condition, the operands of && left out
// that are known to be true.
func (w *walk) undecided(st state, cond ast.Expr) ast.Expr {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok || b.Op != token.LAND:
		return cond
	case w.eval(st, b.X).is == isTrue:
		return w.undecided(st, b.Y)
	case w.eval(st, b.Y).is == isTrue:
		return w.undecided(st, b.X)
	}
	return cond
}

// countedUp is the variable that a statement counts up by one, nil if it does
// something else.
func countedUp(info *types.Info, s ast.Stmt) *types.Var {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if s.Tok == token.INC {
			return varOf(info, s.X)
		}
	case *ast.AssignStmt:
		if s.Tok == token.ADD_ASSIGN && isOne(s.Rhs[0]) {
			return varOf(info, s.Lhs[0])
		}
	}
	return nil
}

// boundOf is n in counter < n, or in counter <= n, which may be one of the
// operands of &&.
func boundOf(info *types.Info, cond ast.Expr, counter *types.Var) (n ast.Expr, included bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok || counter == nil:
		return nil, false
	case b.Op == token.LAND:
		if n, included = boundOf(info, b.X, counter); n != nil {
			return n, included
		}
		return boundOf(info, b.Y, counter)
	case (b.Op == token.LSS || b.Op == token.LEQ) && varOf(info, b.X) == counter:
		return b.Y, b.Op == token.LEQ
	}
	return nil, false
}

// sets says whether anything in n may give a variable, or a part of it, another
// value.
func (w *walk) sets(n ast.Node, v *types.Var) (found bool) {
	is := func(e ast.Expr) bool {
		return v != nil && (varOf(w.info, e) == v || refOf(w.info, e).root == types.Object(v))
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}

func isOne(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == "1"
}

func sameText(a, b ast.Expr) bool {
	return types.ExprString(ast.Unparen(a)) == types.ExprString(ast.Unparen(b))
}
