package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"
)

// A look is a condition on the outcome, with the ways that paths took from it.
type look struct {
	expr    ast.Expr
	full    ast.Expr   // expr itself, or the comparison that it stands for as the value of a case
	parts   []ast.Expr // of expr, those that are about the outcome
	repeats bool       // a path that crossed it comes back
	exits   bool       // a path that crossed it leaves
	stops   bool       // one way of the branch always leaves, the other can come back
	last    bool       // it stops, and a path comes back from it without another one that does
	onYes   bool       // a path that found it true comes back
	onNo    bool       // a path that found it false comes back
}

// A polarity says which way of a branch is taken when a failure is the one
// that its condition looks for.
type polarity uint8

const (
	polarityUnknown polarity = iota
	onTrue
	onFalse
)

func (p polarity) not() polarity {
	switch p {
	case onTrue:
		return onFalse
	case onFalse:
		return onTrue
	}
	return polarityUnknown
}

// summarise works out which paths come back and which leave, and what they
// crossed.
func (w *walk) summarise() {
	for _, n := range w.nodes {
		if n.exit && !w.panics(n) {
			w.exits = true
			n.back(func(n *pathNode) *bool { return &n.goesOut })
			if !n.bound && w.settled(n) {
				w.leaveFrom(n)
			}
		}
		if n.repeat {
			w.repeats = true
			n.back(func(n *pathNode) *bool { return &n.comesBack })
		}
	}
	var work []*pathNode
	for _, n := range w.nodes {
		if n.repeat {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n.blind || w.decides(n) {
			continue
		}
		n.blind = true
		for _, pred := range n.preds {
			if w.ended == nil || !w.recognised(pred, n) {
				work = append(work, pred)
			}
		}
	}
	w.repeatsBlind = w.nodes[0].blind
	w.repeatsWide = w.wide()
	for _, n := range w.nodes {
		if n.comesBack {
			for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
				w.back[x] = true
			}
		}
		if n.cond != nil && n.outcome {
			l := w.looks[n.cond]
			if l == nil {
				l = &look{expr: n.cond, full: n.cond}
				if !w.info.Types[n.cond].IsNil() {
					l.full = w.condition(n.cond) // nil is the case of success, and no question about a failure
				}
				w.looks[n.cond] = l
			}
			for _, p := range n.parts {
				if !slices.Contains(l.parts, p) {
					l.parts = append(l.parts, p)
				}
			}
			decides := w.decides(n)
			l.repeats = l.repeats || n.comesBack
			l.exits = l.exits || n.goesOut
			l.stops = l.stops || decides
			for i, way := range n.ways {
				if way != nil {
					l.last = l.last || decides && way.blind
					l.onYes = l.onYes || i == 0 && way.comesBack
					l.onNo = l.onNo || i == 1 && way.comesBack
				}
			}
		}
	}
}

// back sets a mark at n and at all nodes that lead to it.
func (n *pathNode) back(mark func(*pathNode) *bool) {
	for work := []*pathNode{n}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if m := mark(n); !*m {
			*m = true
			work = append(work, n.preds...)
		}
	}
}

// decides says whether a node is a look of which one way leaves for good: a way
// back without one is blind. Where an answer is put through several steps, or is
// compared with several values in turn, so is a look of which one way ends the
// round, and the other the loop.
func (w *walk) decides(n *pathNode) bool {
	if n.cond == nil || !n.outcome {
		return false
	}
	var back, leave [2]bool
	for i, way := range n.ways {
		if way == nil {
			leave[i] = true
			continue
		}
		if !way.comesBack && !way.goesOut {
			return false // it can only panic
		}
		back[i], leave[i] = way.comesBack, way.leaves
	}
	if back[0] != back[1] {
		return true
	}
	return leave[0] != leave[1] && (w.steps || w.g.compared[n.cond] != nil || w.comparesStatus(n.cond))
}

// comparesStatus says whether a condition compares what is named for a status
// or a code with a number.
func (w *walk) comparesStatus(cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return false
	case b.Op == token.LAND || b.Op == token.LOR:
		return w.comparesStatus(b.X) || w.comparesStatus(b.Y)
	}
	v := w.info.Types[b.Y].Value
	name := ""
	switch x := ast.Unparen(b.X).(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name = x.Sel.Name
	}
	name = strings.ToLower(name)
	return v != nil && v.Kind() == constant.Int && (strings.Contains(name, "status") || strings.Contains(name, "code"))
}

// panics says whether a node ends in a panic though the operation went well: a
// case that can't be, and no way on which the loop is left.
func (w *walk) panics(n *pathNode) bool {
	if w.fail || len(n.block.Succs) > 0 || len(n.block.Nodes) == 0 {
		return false
	}
	e, ok := n.block.Nodes[len(n.block.Nodes)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && isBuiltin(w.info, call, "panic")
}

// leaveFrom marks the nodes that lead to n in the round in which the loop is
// left there.
func (w *walk) leaveFrom(n *pathNode) {
	work := []*pathNode{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !w.l.starts(n.block) && !n.leaves && w.settled(n) {
			n.leaves = true
			work = append(work, n.preds...)
		}
	}
}

// settled says whether it is not something beside the outcome that chooses
// between leaving the loop and going on: a counter or a clock, or what ends a
// wait. Another question may be about the answer, however it got there.
func (w *walk) settled(n *pathNode) bool {
	if n.selects() {
		return false
	}
	if n.cond == nil || n.outcome || !w.measures(n.cond) {
		return true
	}
	return !slices.ContainsFunc(n.ways[:], func(way *pathNode) bool { return way != nil && !way.leaves })
}

// measures says whether a condition compares numbers, as those of attempts and
// of time are, or times.
func (w *walk) measures(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if t := w.info.TypeOf(n.X); t != nil {
				basic, ok := t.Underlying().(*types.Basic)
				found = found || ok && basic.Info()&types.IsNumeric != 0
			}
		case *ast.CallExpr:
			callee := calleeOf(w.info, n)
			found = found || callee != nil && callee.Signature().Recv() != nil && pkgPath(callee) == "time"
		}
		return !found
	})
	return found
}

// starts says whether a round begins with a block: the head of the loop, or a
// label at the start of its body, to which a goto leads.
func (l *loop) starts(b *cfg.Block) bool {
	return b == l.head || len(l.head.Nodes) == 0 && len(l.head.Succs) == 1 && l.head.Succs[0] == b
}

// wide says whether a way leads from the operation back to it on which every
// look that decides was for something that the failure is not: whatever nobody
// thought of comes this way.
func (w *walk) wide() bool {
	var work []*pathNode
	for _, n := range w.nodes {
		if n.repeat {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n.wide {
			continue
		}
		n.wide = true
		for _, pred := range n.preds {
			if w.decides(pred) {
				switch {
				case pred.matched == onTrue && pred.ways[1] == n:
				case pred.matched == onFalse && pred.ways[0] == n:
				default:
					continue
				}
			}
			work = append(work, pred)
		}
	}
	return w.nodes[0].wide
}

// outcomeParts are the operands of cond, taken apart at && and ||, that are
// about the outcome.
func (w *walk) outcomeParts(st state, cond ast.Expr) (parts []ast.Expr) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return append(w.outcomeParts(st, e.X), w.outcomeParts(st, e.Y)...)
		}
	}
	if full := w.condition(cond); w.eval(st, full).outcome || w.asksHolder(st, cond) {
		return []ast.Expr{full}
	}
	return nil
}

// asksHolder says whether e calls a method of something that keeps the
// outcome, or a part of it, in a field.
func (w *walk) asksHolder(st state, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && w.info.Selections[sel] != nil {
			root := refOf(w.info, sel.X).root
			for _, k := range st {
				found = found || root != nil && k.at.root == root && k.is.outcome
			}
		}
		return !found
	})
	return found
}

// polarity says which way of the branch at the end of b is taken when the
// failure is what its condition looks for: a sentinel, a type, a text.
func (w *walk) polarity(st state, b *cfg.Block, cond ast.Expr) polarity {
	if x, isNilCase := w.g.typeCase(w.info, b); x != nil && !isNilCase {
		return onTrue
	}
	return w.polarityOf(st, w.condition(cond))
}

func (w *walk) polarityOf(st state, cond ast.Expr) polarity {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return w.polarityOf(st, e.X).not()
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			x, y := w.polarityOf(st, e.X), w.polarityOf(st, e.Y)
			if x == y || !w.eval(st, e.Y).outcome {
				return x
			}
			if !w.eval(st, e.X).outcome {
				return y
			}
		case token.EQL, token.NEQ:
			if !w.sentinel(e.X) && !w.sentinel(e.Y) && !w.constant(e.X) && !w.constant(e.Y) {
				return polarityUnknown
			}
			if e.Op == token.NEQ {
				return onFalse
			}
			return onTrue
		}
	case *ast.CallExpr:
		callee := calleeOf(w.info, e)
		switch name := fullName(callee); {
		case name == "errors.Is", name == "errors.As", strings.HasPrefix(name, "strings."):
			return onTrue
		case callee != nil && callee.Pkg() != nil && callee.Signature().Recv() == nil && asksOneKind(callee.Name()) &&
			len(e.Args) == 1 && isError(w.info.TypeOf(e.Args[0])) && !classifierName(callee.Name()):
			return onTrue
		}
	case *ast.Ident:
		v, ok := w.info.ObjectOf(e).(*types.Var)
		if ok && w.assertedOK(v) {
			return onTrue
		}
	}
	return polarityUnknown
}

// asksOneKind says whether a predicate on an error is named for one kind of it:
// IsNotFound, isClosed, contextCanceled.
func asksOneKind(name string) bool {
	if rest, ok := strings.CutPrefix(strings.ToUpper(name[:1])+name[1:], "Is"); ok {
		return rest == "" || strings.ToLower(rest[:1]) != rest[:1]
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "canceled") || strings.HasSuffix(name, "cancelled")
}

// constant says whether e has a constant value other than nil.
func (w *walk) constant(e ast.Expr) bool { return w.info.Types[e].Value != nil }

// assertedOK says whether v is the second value of a type assertion or the
// answer of errors.As.
func (w *walk) assertedOK(v *types.Var) (found bool) {
	inspectOwn(w.g.fn.Body(), func(n ast.Node) {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Rhs) != 1 || objectOf(w.info, as.Lhs[len(as.Lhs)-1]) != types.Object(v) {
			return
		}
		switch rhs := ast.Unparen(as.Rhs[0]).(type) {
		case *ast.TypeAssertExpr:
			found = found || len(as.Lhs) == 2
		case *ast.CallExpr:
			switch fullName(calleeOf(w.info, rhs)) {
			case "errors.As", "errors.Is", "errors.AsType":
				found = true
			}
		}
	})
	return found
}
