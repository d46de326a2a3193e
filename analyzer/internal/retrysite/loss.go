package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A Loss is a place where a site gives up and the last error is lost.
type Loss struct {
	How LossHow
	By  LossBy
	// Node is the return statement, or the assignment that loses the error.
	Node ast.Node
	// Expr is what is returned in its place.
	Expr ast.Expr
	// Var is the variable that was thought to hold it, for LossShadow.
	Var *types.Var
	// OwnDeadline says that the context whose error is returned was given its
	// deadline by the function itself, before the first attempt.
	OwnDeadline bool
	// Promised says that the function's documentation promises the last error.
	Promised bool
	// Verb is the formatting call whose verb shows the error as text, when
	// replacing that verb by %w keeps it; nil otherwise.
	Verb *ast.CallExpr
	// VerbArg is the index of the error among Verb's arguments.
	VerbArg int
}

// LossHow is what is returned instead of the last error.
type LossHow uint8

const (
	LossText     LossHow = iota + 1 // an error that has it as text only
	LossNew                         // a new error that knows nothing of it
	LossSentinel                    // a package-level error
	LossNil                         // nil, as if the operation had succeeded
	LossBool                        // false
	LossContext                     // the error of the context alone
	LossShadow                      // a variable that was never assigned, because the loop declares it anew
)

func (h LossHow) String() string {
	return [...]string{"unknown", "text", "new", "sentinel", "nil", "bool", "context", "shadow"}[h]
}

// LossBy is why the site gives up.
type LossBy uint8

const (
	LossByOutcome LossBy = iota // the error itself says so
	LossByBound                 // attempts or time are used up, or a policy ends it
	LossByContext               // the context has ended
	LossByStop                  // something else has ended
	LossByOnce                  // the one attempt more that a flag allows was made
	LossByTimer                 // a timer that was set for all of the attempts is over
)

var promisesLast = Matcher(`(?i)\b(last|latest|most recent|final|underlying)\b[^.]{0,40}\berr(or)?\b`)

// What a variable has of the last error.
type held uint8

const (
	heldNone held = iota
	heldText
	heldAll
)

// How the present value of a variable was made.
type made uint8

const (
	madeNew     made = iota + 1 // errors.New, fmt.Errorf
	madeContext                 // ctx.Err()
	madeOther                   // anything else
)

// A lossNode is what may be so at one node of the walk.
type lossNode struct {
	vars   map[types.Object]held
	made   map[types.Object]made // of variables that are returned
	by     [6]bool
	logged bool // the error was handed to a function that returns nothing
	stored bool // the error was put where others can see it

	visited, queued bool
}

// losses walks from the failed operation to the end of the function and finds
// the returns by which the site gives up without its last error.
func (f *finder) losses(s *Site, g *graph, c *candidate) {
	w := &walk{info: f.info, g: g, l: g.whole(), op: c.call, err: c.fail.err, fail: true, empty: true}
	w.run()
	if w.gaveUp || f.deferChangesResult(g.fn) {
		return
	}
	lw := &lossWalk{f: f, s: s, w: w, l: c.fail.l, p: newPaths(w), at: make(map[*pathNode]*lossNode), returned: f.returnedVars(g.fn)}
	lw.run()
}

type lossWalk struct {
	f  *finder
	s  *Site
	w  *walk
	l  *loop // the site's own
	p  *paths
	at map[*pathNode]*lossNode

	returned map[types.Object]bool
}

// returnedVars are the variables that a function's returns give.
func (f *finder) returnedVars(fn *Func) map[types.Object]bool {
	if vars, ok := f.returns[fn]; ok {
		return vars
	}
	vars := make(map[types.Object]bool)
	inspectOwn(fn.Body(), func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok {
			for _, result := range r.Results {
				if o := objectOf(f.info, result); o != nil {
					vars[o] = true
				}
			}
		}
	})
	if results := fn.Type().Results; results != nil {
		for _, field := range results.List {
			for _, name := range field.Names {
				vars[f.info.ObjectOf(name)] = true
			}
		}
	}
	f.returns[fn] = vars
	return vars
}

func (lw *lossWalk) node(n *pathNode) *lossNode {
	if lw.at[n] == nil {
		lw.at[n] = &lossNode{vars: make(map[types.Object]held), made: make(map[types.Object]made)}
	}
	return lw.at[n]
}

func (lw *lossWalk) run() {
	if len(lw.w.nodes) == 0 {
		return
	}
	start := lw.w.nodes[0]
	lw.node(start)
	work := []*pathNode{start}
	for rounds := 0; len(work) > 0 && rounds < 20*maxPaths; rounds++ {
		n := work[0]
		work = work[1:]
		in := lw.node(n)
		in.queued = false
		if n != start && lw.startsAnew(n) {
			continue
		}
		out := in.clone()
		if !n.repeat {
			for i, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
				lw.transfer(out, x, n == start && i == 0)
			}
		}
		for _, next := range lw.p.succs[n] {
			moved := out.clone()
			if by, ok := lw.reason(n, next); ok {
				moved.by[by] = true
			}
			to := lw.node(next)
			if changed := to.join(moved); (changed || !to.visited) && !to.queued {
				to.visited, to.queued = true, true
				work = append(work, next)
			}
		}
	}
	lw.collect()
}

// startsAnew says whether another attempt begins at a node, with a step that comes
// before the operation: what it failed with is no longer the last error.
func (lw *lossWalk) startsAnew(n *pathNode) bool {
	return slices.ContainsFunc(n.block.Nodes[min(n.from, len(n.block.Nodes)):], func(x ast.Node) bool {
		return slices.ContainsFunc(lw.w.g.callsIn(x), func(call *ast.CallExpr) bool {
			return call.Pos() < lw.w.op.Pos() && slices.ContainsFunc(lw.s.Ops, func(op *Operation) bool { return op.Call == call })
		})
	})
}

func (a *lossNode) clone() *lossNode {
	return &lossNode{vars: maps.Clone(a.vars), made: maps.Clone(a.made), by: a.by, logged: a.logged, stored: a.stored}
}

// join adds what b knows and says whether that changed anything.
func (a *lossNode) join(b *lossNode) (changed bool) {
	for k, v := range b.vars {
		if old, ok := a.vars[k]; !ok || v > old {
			a.vars[k] = max(v, old)
			changed = true
		}
	}
	for k, v := range b.made {
		if old := a.made[k]; old != v && old != madeOther {
			if old != 0 {
				v = madeOther
			}
			a.made[k], changed = v, true
		}
	}
	for i, v := range b.by {
		if v && !a.by[i] {
			a.by[i], changed = true, true
		}
	}
	if b.logged && !a.logged {
		a.logged, changed = true, true
	}
	if b.stored && !a.stored {
		a.stored, changed = true, true
	}
	return changed
}

// transfer follows the error through one node.
func (lw *lossWalk) transfer(st *lossNode, n ast.Node, first bool) {
	info := lw.f.info
	set := func(lhs ast.Expr, h held) {
		switch l := ast.Unparen(lhs).(type) {
		case *ast.Ident:
			o := info.ObjectOf(l)
			if o == nil || l.Name == "_" {
				return
			}
			if lw.returned[o] {
				st.made[o] = madeOther
			}
			if v, ok := o.(*types.Var); ok && h == heldAll && (isPackageLevel(v) || !lw.owns(v)) {
				st.stored = true
			}
			if h == heldNone {
				delete(st.vars, o)
			} else {
				st.vars[o] = h
			}
		case *ast.IndexExpr:
			// An element: the collection has it now.
			if root := rootVar(info, l.X); root != nil && h > st.vars[root] {
				st.vars[root] = h
			}
		default:
			if h > heldNone {
				st.stored = true
				if root := rootVar(info, lhs); root != nil {
					st.vars[root] = max(h, st.vars[root])
				}
			}
		}
	}
	assign := func(lhs, rhs []ast.Expr) {
		if len(lhs) == len(rhs) {
			hs := make([]held, len(rhs))
			for i, e := range rhs {
				hs[i] = lw.holds(st, e)
			}
			for i, l := range lhs {
				set(l, hs[i])
				o := objectOf(info, l)
				if o == nil || !lw.returned[o] {
					continue
				}
				if call, ok := ast.Unparen(rhs[i]).(*ast.CallExpr); ok && isContextErr(calleeOf(info, call)) {
					st.made[o] = madeContext
				} else if lw.f.makesError(rhs[i]) {
					st.made[o] = madeNew
				}
			}
			return
		}
		if len(rhs) != 1 {
			return
		}
		call, isCall := ast.Unparen(rhs[0]).(*ast.CallExpr)
		for i, l := range lhs {
			switch {
			case isCall && call == lw.w.op && first:
				if i == lw.w.err {
					set(l, heldAll)
				} else {
					// A status or a response is a part of the failure too.
					set(l, heldNone)
				}
			case isCall:
				set(l, lw.holds(st, call))
			default:
				set(l, lw.holds(st, rhs[0]))
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		lw.observe(st, n)
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			if first && len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(lw.w.op) && len(n.Lhs) == 1 {
				set(n.Lhs[0], heldAll)
				return
			}
			assign(n.Lhs, n.Rhs)
			return
		}
		if h := lw.holds(st, n.Rhs[0]); h > heldNone {
			if root := rootVar(info, n.Lhs[0]); root != nil {
				st.vars[root] = max(h, st.vars[root])
			}
		}
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			lhs[i] = id
		}
		if len(n.Values) > 0 {
			assign(lhs, n.Values)
		}
	case *ast.SendStmt:
		if lw.holds(st, n.Value) > heldNone {
			st.stored = true
		}
	case *ast.GoStmt, *ast.DeferStmt:
	case *ast.ReturnStmt:
	default:
		lw.observe(st, n)
	}
}

// observe notes calls that are given the error.
func (lw *lossWalk) observe(st *lossNode, n ast.Node) {
	inspectOwn(n, func(x ast.Node) {
		call, ok := x.(*ast.CallExpr)
		if !ok || call == lw.w.op {
			return
		}
		given := heldNone
		for _, a := range call.Args {
			given = max(given, lw.holds(st, a))
		}
		if given == heldNone {
			return
		}
		callee := calleeOf(lw.f.info, call)
		if t := lw.f.info.TypeOf(call); t != nil {
			if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 {
				if callee != nil && strings.Contains(strings.ToLower(callee.Name()), "retry") {
					return // told that there will be another attempt
				}
				if callee == nil {
					return
				}
				st.logged = true
			}
		}
		// A method that is given the error, or its text, may keep it.
		if callee != nil && callee.Signature().Recv() != nil && !logs(callee) {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				if root := rootVar(lw.f.info, sel.X); root != nil && lw.owns(root) {
					st.vars[root] = max(st.vars[root], given)
				}
			}
		}
		for _, a := range call.Args { // f(&out, err)
			if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op == token.AND {
				if root := rootVar(lw.f.info, u.X); root != nil {
					st.vars[root] = max(st.vars[root], given)
				}
			}
		}
	})
}

// logs says whether a method only shows what it is given.
func logs(fn *types.Func) bool {
	return fn.Signature().Results().Len() == 0 && logName(fn.Name())
}

var logName = Matcher(`^(?i)(print|log|debug|info|warn|error|trace|fatal|notice|verbose)`)
