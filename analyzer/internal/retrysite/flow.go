package retrysite

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// A walk follows all paths from an operation, given its outcome, until they
// leave the loop or come back to the operation.
type walk struct {
	info *types.Info
	g    *graph
	l    *loop
	op   *ast.CallExpr
	err  int // index of the error among the results
	fail bool
	// steps says that a failure comes back too, so that a look at a further step
	// of what went well decides like one at the operation.
	steps bool
	// empty says that a pointer that the operation gives beside an error is
	// nil. Not all functions keep to that, but those that ask for it do.
	empty bool

	first bool // the operation itself is still to be evaluated

	repeats      bool // some path comes back
	repeatsBlind bool // some path comes back without any look at the outcome
	repeatsWide  bool // some path comes back on which no look found what it looked for
	exits        bool
	gaveUp       bool // too many paths

	// looks are the conditions on the outcome that paths took both ways, with
	// the ways that lead back to the operation.
	looks map[ast.Expr]*look
	// back are the nodes on paths that come back.
	back map[ast.Node]bool
	// nodes are all that was visited.
	nodes []*pathNode

	// ended says that the error is the one of a context that has ended, which
	// a look for another one does not find.
	ended *types.Var
}

// pathNode is one visited (block, state).
type pathNode struct {
	block   *cfg.Block
	from    int
	st      state
	looked  bool
	preds   []*pathNode
	cond    ast.Expr     // set where the node branches on something not known
	outcome bool         // the branch is on the outcome
	parts   []ast.Expr   // of cond, those that are about the outcome
	matched polarity     // which way is taken when the failure is what cond looks for
	ways    [2]*pathNode // where the branch leads; nil where it leaves
	exit    bool
	bound   bool // the exit is taken in the last round only
	repeat  bool

	sameHash *pathNode // another one whose state has the same hash

	// What summarise finds.
	comesBack bool // a path from here comes back to the operation
	goesOut   bool // a path from here leaves the loop
	leaves    bool // from here the loop can be left before the next round begins
	wide      bool // a path from here comes back on which no look found what it looked for
	blind     bool // a path from here comes back without a look that decides
}

// maxPaths bounds the (block, state) pairs of one walk. Functions that need
// more are not understood, and nothing is said about them.
const maxPaths = 3000

// A visit is what tells apart the nodes of a walk, but for states that have the
// same hash.
type visit struct {
	block  *cfg.Block
	looked bool
	hash   uint64
}

// run walks. Afterwards the exported-looking fields say what was seen.
func (w *walk) run() {
	w.looks = make(map[ast.Expr]*look)
	w.back = make(map[ast.Node]bool)
	at := w.g.at[w.op]
	visited, work := w.g.visited, w.g.work
	w.g.visited, w.g.work = nil, nil // whoever walks in the meantime makes their own
	if visited == nil {
		visited = make(map[visit]*pathNode)
	}
	defer func() {
		clear(visited)
		clear(work[:cap(work)])
		w.g.visited, w.g.work = visited, work[:0]
	}()
	live := w.g.live(w.info)
	get := func(b *cfg.Block, st state, looked bool, pred *pathNode) *pathNode {
		st = live.at(b, st)
		k := visit{b, looked, st.hash()}
		n := visited[k]
		for n != nil && !slices.Equal(n.st, st) {
			n = n.sameHash
		}
		if n == nil {
			n = &pathNode{block: b, st: st, looked: looked, sameHash: visited[k]}
			visited[k] = n
			w.nodes = append(w.nodes, n)
			work = append(work, n)
		}
		if pred != nil {
			n.preds = append(n.preds, pred)
		}
		return n
	}
	start := &pathNode{block: at.block, from: at.index, st: w.before()}
	w.nodes = append(w.nodes, start)
	work = append(work, start)
	w.first = true
	for len(work) > 0 {
		if len(w.nodes) > maxPaths {
			w.gaveUp = true
			return
		}
		n := work[len(work)-1]
		work = work[:len(work)-1]
		w.step(n, get)
		w.first = false
	}
	w.summarise()
}

// step evaluates one block and queues its successors.
func (w *walk) step(n *pathNode, get func(*cfg.Block, state, bool, *pathNode) *pathNode) {
	st := n.st
	b := n.block
	for i := n.from; i < len(b.Nodes); i++ {
		// Coming to the operation again ends the path.
		if !(w.first && i == n.from) && b == w.g.at[w.op].block && i == w.g.at[w.op].index {
			n.repeat = true
			return
		}
		if i == len(b.Nodes)-1 && len(b.Succs) == 2 {
			break // the condition, below
		}
		st = w.transfer(st, b.Nodes[i])
	}
	switch len(b.Succs) {
	case 0:
		n.exit = true
	case 1:
		if w.deadSelect(b) {
			return
		}
		w.follow(n, b.Succs[0], st, n.looked, get)
	case 2:
		var cond ast.Expr
		if len(b.Nodes) > 0 && n.from < len(b.Nodes) {
			cond, _ = b.Nodes[len(b.Nodes)-1].(ast.Expr)
			if cond == nil {
				st = w.transfer(st, b.Nodes[len(b.Nodes)-1])
			}
		}
		switch b.Succs[0].Kind {
		case cfg.KindSelectCaseBody, cfg.KindRangeBody:
			// Neither has a condition: the last node is a channel operation or
			// the ranged operand.
			if cond != nil {
				st = w.transfer(st, b.Nodes[len(b.Nodes)-1])
			}
			if r, ok := b.Succs[0].Stmt.(*ast.RangeStmt); ok {
				w.follow(n, b.Succs[0], w.assignRange(st, r), n.looked, get)
				if w.hasNext(st, r) {
					return
				}
			} else if w.ended == nil || !w.waitsOnContext(b.Succs[0]) {
				w.follow(n, b.Succs[0], st, n.looked, get)
				if w.ended != nil && w.endsAtOnce(b.Succs[0]) {
					return
				}
			}
			w.follow(n, b.Succs[1], st, n.looked, get)
			return
		}
		v := value{}
		typed := false
		if x, isNilCase := w.g.typeCase(w.info, b); x != nil {
			cond, typed = x, true
			v = w.eval(st, x)
			switch {
			case isNilCase && v.is == isNil, isNilCase && v.is == isSet:
				v.is = boolValue(v.is == isNil)
			case !isNilCase && v.is == isNil:
				v.is = isFalse
			default:
				v.is = isUnknown
			}
		} else if cond != nil {
			v = w.eval(st, w.condition(cond))
			v.outcome = v.outcome && !w.countsRounds(cond)
			st = w.effects(st, cond)
			if w.goesOn(st, cond) || w.asksTheSame(cond) {
				v.is = isTrue
			}
		}
		switch v.is {
		case isTrue:
			w.follow(n, b.Succs[0], st, n.looked, get)
		case isFalse:
			w.follow(n, b.Succs[1], st, n.looked, get)
		default:
			if v.outcome && cond != nil {
				n.parts = w.outcomeParts(st, cond)
				if !typed {
					n.parts = slices.DeleteFunc(n.parts, func(p ast.Expr) bool { return w.eval(st, w.condition(p)).is != isUnknown })
				}
				v.outcome = typed || len(n.parts) > 0
				n.matched = w.polarity(st, b, cond)
			}
			n.cond, n.outcome = cond, v.outcome
			looked := n.looked || v.outcome
			yes, no := st, st
			if cond != nil {
				c := w.condition(cond)
				yes, no = w.assume(st, c, true), w.assume(st, c, false)
			}
			if typed {
				yes = yes.with(w.caseVar(b), value{outcome: v.outcome})
			}
			yes, no = w.worthKnowing(st, yes), w.worthKnowing(st, no)
			last := isUnknown
			if w.ended != nil || !w.fail {
				last = w.lastAttempt(w.undecided(st, cond))
			} else if more := w.anotherRound(); more.root != nil {
				switch w.onlyInLast(w.undecided(st, cond)) {
				case isTrue:
					no = no.with(more, value{is: isTrue})
				case isFalse:
					yes = yes.with(more, value{is: isTrue})
				}
			}
			n.exit, n.bound = n.exit || last != isUnknown, last != isUnknown
			if last != isTrue {
				n.ways[0] = w.follow(n, b.Succs[0], yes, looked, get)
			}
			if last != isFalse {
				n.ways[1] = w.follow(n, b.Succs[1], no, looked, get)
			}
		}
	}
}

// countsRounds says whether a condition is the loop's own bound on its rounds: for
// i := 0; i < options.Max; i++. It is none on the outcome, though the operation is
// given the options to fill in as well.
func (w *walk) countsRounds(cond ast.Expr) bool {
	loop, ok := w.l.node.(*ast.ForStmt)
	if !ok || loop.Cond != cond {
		return false
	}
	bound, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	post, counts := loop.Post.(*ast.IncDecStmt)
	if !ok || !counts {
		return false
	}
	counter, ok := ast.Unparen(post.X).(*ast.Ident)
	return ok && objectOf(w.info, bound.X) == w.info.ObjectOf(counter)
}

// worthKnowing takes out of a branch's state what it has learned of something
// that no other condition asks about: it would only multiply the paths.
func (w *walk) worthKnowing(before, after state) state {
	for _, k := range after {
		if old := before.of(k.at); k.is != old && !k.is.outcome && w.g.asked(w.info)[k.at] < 2 {
			after = after.with(k.at, old)
		}
	}
	return after
}

// follow goes on at another block, or notes that the path leaves the loop.
func (w *walk) follow(n *pathNode, to *cfg.Block, st state, looked bool, get func(*cfg.Block, state, bool, *pathNode) *pathNode) *pathNode {
	if !w.l.blocks[to] {
		n.exit = true
		return nil
	}
	return get(to, st, looked, n)
}

// condition makes the comparison explicit that a switch leaves out.
func (w *walk) condition(e ast.Expr) ast.Expr {
	if c := w.g.compared[e]; c != nil {
		return c
	}
	return e
}

// errVars are the variables that directly take the operation's error.
func (w *walk) errVars() map[types.Object]bool {
	m := make(map[types.Object]bool)
	p := w.g.at[w.op]
	var lhs []ast.Expr
	switch n := p.block.Nodes[p.index].(type) {
	case *ast.AssignStmt:
		lhs = n.Lhs
	case *ast.ValueSpec:
		for _, id := range n.Names {
			lhs = append(lhs, id)
		}
	}
	if w.err >= 0 && w.err < len(lhs) {
		if o := objectOf(w.info, lhs[w.err]); o != nil {
			m[o] = true
		}
	}
	return m
}
