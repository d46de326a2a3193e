package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// recursionGraph is the graph of a function that calls itself once more on
// failure, with the call taken for what it is, the way back to the beginning:
//
//	func get(ctx context.Context, url string, attempt int) error {
//		err := fetch(ctx, url)
//		if err != nil && attempt < 3 {
//			return get(ctx, url, attempt+1)
//		}
//		return err
//	}
//
// A literal that is returned from may make the call; see again. It is nil unless all such calls are the last thing that the function does,
// and hand on its parameters as they are, but for one that may count there, and
// for those that keep the error of the attempt before.
func (f *finder) recursionGraph(fn *Func) *graph {
	if fn.Obj == nil || fn.Body() == nil {
		return nil
	}
	calls := f.callsOf(fn, fn.Obj)
	lit, held := f.again(fn)
	if calls == 0 && lit == nil {
		return nil
	}
	g := f.newGraph(fn)
	if lit != nil {
		calls += f.callsOf(lit, fn.Obj)
		f.inline(g, lit, held)
	}
	entry := g.cfg.Blocks[0]
	for _, b := range g.cfg.Blocks {
		if !b.Live || len(b.Nodes) == 0 {
			continue
		}
		at, call := f.lastCall(fn, b)
		if call == nil {
			continue
		}
		count, ok := f.countsOn(fn, call)
		if !ok {
			return nil
		}
		b.Nodes = append(b.Nodes[:at:at], count)
		b.Succs = []*cfg.Block{entry}
		ast.Inspect(call, func(n ast.Node) bool { // nor are the calls that make its arguments steps of the attempt
			if c, ok := n.(*ast.CallExpr); ok {
				delete(g.at, c)
			}
			return true
		})
		calls--
	}
	if calls != 0 {
		return nil // another way to call itself, which is not followed
	}
	g.loops = nil
	g.findLoops()
	// The one of the recursion is the outermost.
	for i, l := range g.loops {
		if l.head == entry {
			g.loops = g.loops[i : i+1]
			return g
		}
	}
	return nil
}

// lastCall is the call of a function by itself that is the last thing which it
// does after a block, and its place in it: it is returned, or what it gives is
// assigned to what is returned then, as it is. Nil if there is none.
func (f *finder) lastCall(fn *Func, b *cfg.Block) (at int, call *ast.CallExpr) {
	for at, n := range b.Nodes {
		var made ast.Expr
		var to []ast.Expr
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				made = n.Results[0]
			}
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && n.Tok == token.ASSIGN {
				made, to = n.Rhs[0], n.Lhs
			}
		}
		call, ok := ast.Unparen(made).(*ast.CallExpr)
		if ok && calleeOf(f.info, call) == fn.Obj && (to == nil || f.returnedNext(fn, b, at+1, to)) {
			return at, call
		}
	}
	return 0, nil
}

// returnedNext says whether nothing comes between a place in a block and a
// return of just these variables.
func (f *finder) returnedNext(fn *Func, b *cfg.Block, at int, vars []ast.Expr) bool {
	for range maxDepth {
		if at < len(b.Nodes) {
			ret, ok := b.Nodes[at].(*ast.ReturnStmt)
			if !ok {
				return false
			}
			results := ret.Results
			if len(results) == 0 {
				results = namedResults(fn)
			}
			return slices.EqualFunc(results, vars, func(a, b ast.Expr) bool {
				v := varOf(f.info, a)
				return v != nil && v == varOf(f.info, b)
			})
		}
		if len(b.Succs) != 1 {
			return false
		}
		b, at = b.Succs[0], 0
	}
	return false
}

// namedResults are the names of a function's results.
func namedResults(fn *Func) (names []ast.Expr) {
	if fn.Type().Results == nil {
		return nil
	}
	for _, field := range fn.Type().Results.List {
		for _, name := range field.Names {
			names = append(names, name)
		}
	}
	return names
}

// countsOn is the statement that a call of a function by itself amounts to:
// attempt, last = attempt + 1, err, everything else staying as it is, or nothing
// at all where nothing counts. Not ok if anything else changes but the context.
func (f *finder) countsOn(fn *Func, call *ast.CallExpr) (count ast.Stmt, ok bool) {
	if recv := fn.Recv(); recv != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || len(recv.List[0].Names) == 0 || objectOf(f.info, sel.X) == nil || objectOf(f.info, sel.X) != f.info.Defs[recv.List[0].Names[0]] {
			return nil, false
		}
	}
	var params []*ast.Ident
	for _, field := range fn.Type().Params.List {
		params = append(params, field.Names...)
	}
	if len(params) != len(call.Args) {
		return nil, false
	}
	step := &ast.AssignStmt{TokPos: call.Pos(), Tok: token.ASSIGN}
	counts := false
	for i, arg := range call.Args {
		p, ok := f.info.Defs[params[i]].(*types.Var)
		if !ok {
			return nil, false // the blank identifier
		}
		if objectOf(f.info, arg) == types.Object(p) || isContext(p.Type()) {
			continue
		}
		if isError(p.Type()) {
			if varOf(f.info, arg) != nil { // what a call makes of it is no step of the attempt
				step.Lhs, step.Rhs = append(step.Lhs, params[i]), append(step.Rhs, arg)
			}
			continue
		}
		b, ok := ast.Unparen(arg).(*ast.BinaryExpr)
		if !ok || counts || b.Op != token.ADD && b.Op != token.SUB || !isInteger(p.Type()) || isDuration(p.Type()) || objectOf(f.info, b.X) != types.Object(p) || !isOne(b.Y) {
			return nil, false
		}
		counts = true
		step.Lhs, step.Rhs = append(step.Lhs, b.X), append(step.Rhs, b)
	}
	if len(step.Lhs) == 0 {
		return f.countedBefore(fn, call), true
	}
	return step, true
}

// countedBefore is what a call of a function by itself amounts to where the
// counter has been taken down on the way to it: if retries--; retries > 0. It is
// empty if no integer among the parameters is counted.
func (f *finder) countedBefore(fn *Func, call *ast.CallExpr) (count ast.Stmt) {
	count = &ast.EmptyStmt{Semicolon: call.Pos(), Implicit: true}
	inspectOwn(fn.Body(), func(n ast.Node) {
		step, ok := n.(*ast.IncDecStmt)
		if !ok || step.Pos() > call.Pos() {
			return
		}
		for _, arg := range call.Args {
			if v := varOf(f.info, step.X); v != nil && v == varOf(f.info, arg) && isInteger(v.Type()) {
				count = &ast.AssignStmt{Lhs: []ast.Expr{arg}, TokPos: call.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{arg}}
			}
		}
	})
	return count
}

// searchRecursion adds the site of a function that calls itself again when its
// operation failed.
func (f *finder) searchRecursion(fn *Func) {
	g := f.recursionGraph(fn)
	if g == nil {
		return
	}
	l := g.loops[0]
	s := f.loopSite(g, l, f.candidates(g, l, nil))
	if s == nil || s.Shape != ShapeRetry || !s.Repeats && !s.Attempts.Bounded() {
		return // an answer that leads on, to a place or a page, is not counted
	}
	s.Defers = nil // each attempt has a function of its own to end
	f.res.Sites = append(f.res.Sites, s)
}
