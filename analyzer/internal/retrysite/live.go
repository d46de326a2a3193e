package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// liveness says, for each block of a graph, which local variables are still
// read after its beginning. What is known of the others makes no difference,
// and to forget it keeps the number of paths down.
type liveness struct {
	in map[*cfg.Block]map[types.Object]bool
	// always are variables that functions in the function, or pointers, may
	// read at any time.
	always map[types.Object]bool
}

// live computes the liveness of g once.
func (g *graph) live(info *types.Info) *liveness {
	if g.liveness != nil {
		return g.liveness
	}
	l := &liveness{in: make(map[*cfg.Block]map[types.Object]bool), always: make(map[types.Object]bool)}
	g.liveness = l
	ast.Inspect(g.fn.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			addUses(info, n.Body, l.always)
		case *ast.DeferStmt, *ast.GoStmt:
			addUses(info, n, l.always)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				addUses(info, n.X, l.always)
			}
		}
		return true
	})
	preds := make(map[*cfg.Block][]*cfg.Block)
	var work []*cfg.Block
	queued := make(map[*cfg.Block]bool)
	for _, b := range g.cfg.Blocks {
		l.in[b] = make(map[types.Object]bool)
		work, queued[b] = append(work, b), true
		for _, s := range b.Succs {
			preds[s] = append(preds[s], b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		queued[b] = false
		live := make(map[types.Object]bool)
		for _, s := range b.Succs {
			for o := range l.in[s] {
				live[o] = true
			}
		}
		if r, ok := b.Stmt.(*ast.RangeStmt); ok {
			addUses(info, r.X, live)
		}
		if x, _ := g.typeCase(info, b); x != nil {
			addUses(info, x, live) // the graph shows it before the first case only
		}
		for i := len(b.Nodes) - 1; i >= 0; i-- {
			kill(info, b.Nodes[i], live)
			addUses(info, b.Nodes[i], live)
			if r, ok := b.Nodes[i].(*ast.ReturnStmt); ok && len(r.Results) == 0 {
				addErrorResults(info, g.fn, live)
			}
			if e, ok := b.Nodes[i].(ast.Expr); ok && g.tags[e] != nil {
				addUses(info, g.tags[e], live)
			}
		}
		if len(live) == len(l.in[b]) {
			continue
		}
		l.in[b] = live
		for _, p := range preds[b] {
			if !queued[p] {
				work, queued[p] = append(work, p), true
			}
		}
	}
	return l
}

// kill removes the variables that a statement gives a new value.
func kill(info *types.Info, n ast.Node, live map[types.Object]bool) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			for _, l := range n.Lhs {
				if id, ok := ast.Unparen(l).(*ast.Ident); ok {
					delete(live, info.ObjectOf(id))
				}
			}
		}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			delete(live, info.Defs[id])
		}
	}
}

// addUses adds the variables that n reads.
func addUses(info *types.Info, n ast.Node, live map[types.Object]bool) {
	written := make(map[*ast.Ident]bool)
	if as, ok := n.(*ast.AssignStmt); ok && (as.Tok == token.ASSIGN || as.Tok == token.DEFINE) {
		for _, l := range as.Lhs {
			if id, ok := ast.Unparen(l).(*ast.Ident); ok {
				written[id] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !written[id] {
			if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() {
				live[v] = true
			}
		}
		return true
	})
}

// addErrorResults adds the named results that are errors, which a return
// without results gives.
func addErrorResults(info *types.Info, fn *Func, live map[types.Object]bool) {
	if fn.Type().Results == nil {
		return
	}
	for _, field := range fn.Type().Results.List {
		for _, name := range field.Names {
			if o := info.Defs[name]; o != nil && isError(o.Type()) {
				live[o] = true
			}
		}
	}
}

// at forgets of st what no one reads from b on.
func (l *liveness) at(b *cfg.Block, st state) state {
	in := l.in[b]
	dead := func(k entry) bool {
		v, ok := k.at.root.(*types.Var)
		return ok && !isPackageLevel(v) && !in[v] && !l.always[v]
	}
	first := slices.IndexFunc(st, dead)
	if first < 0 {
		return st
	}
	kept := append(make(state, 0, len(st)-1), st[:first]...)
	for _, k := range st[first+1:] {
		if !dead(k) {
			kept = append(kept, k)
		}
	}
	return kept
}

// asked counts the conditions of g that name each variable or field.
func (g *graph) asked(info *types.Info) map[ref]int {
	if g.askedOf != nil {
		return g.askedOf
	}
	g.askedOf = make(map[ref]int)
	for _, b := range g.cfg.Blocks {
		if !b.Live || len(b.Succs) != 2 || len(b.Nodes) == 0 {
			continue
		}
		cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
		if !ok {
			continue
		}
		named := make(map[ref]bool)
		ast.Inspect(cond, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if r := refOf(info, e); r.root != nil {
					named[r] = true
				}
			}
			return true
		})
		for r := range named {
			g.askedOf[r]++
		}
	}
	return g.askedOf
}
