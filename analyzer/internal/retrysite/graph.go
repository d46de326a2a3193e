package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// A graph is the control flow graph of one function, with its loops.
type graph struct {
	fn    *Func
	cfg   *cfg.CFG
	loops []*loop // innermost first
	// tags maps each case expression of a switch with a tag to that tag, since
	// the graph shows only the expression.
	tags map[ast.Expr]ast.Expr
	// compared maps it to the comparison of the two.
	compared map[ast.Expr]ast.Expr
	// at maps each call to the block and node that evaluate it.
	at map[*ast.CallExpr]place
	// lastCase are the last clauses of selects that have no default.
	lastCase map[*ast.CommClause]bool
	liveness *liveness                    // memo of live
	askedOf  map[ref]int                  // memo of asked
	calls    map[ast.Node][]*ast.CallExpr // memo of callsIn
	// What a walk needs until it ends, kept for the next one: the first of the
	// nodes that are linked by sameHash, and those that are still to be evaluated.
	// Nil while one is under way.
	visited map[visit]*pathNode
	work    []*pathNode
	// counted says whether a call counts what its i-th argument points to.
	counted func(call *ast.CallExpr, i int) (counts, up bool)
}

// A place is a node of a block.
type place struct {
	block *cfg.Block
	index int
}

// A loop is a natural loop of the graph: all blocks from which control can
// come back to the head without leaving through it.
type loop struct {
	head   *cfg.Block
	blocks map[*cfg.Block]bool
	node   ast.Node // *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt, or *ast.FuncDecl for a recursion
	backs  []*cfg.Block
}

// body is the block of statements that repeats; nil for a goto.
func (l *loop) body() *ast.BlockStmt {
	if n, ok := l.node.(*ast.FuncDecl); ok {
		return n.Body
	}
	return loopBody(l.node)
}

// loopBody is the body of a for statement, nil for other nodes.
func loopBody(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	}
	return nil
}

func (f *finder) newGraph(fn *Func) *graph {
	info := f.info
	g := &graph{
		fn:   fn,
		cfg:  cfg.New(fn.Body(), func(call *ast.CallExpr) bool { return !neverReturns(info, call) }),
		tags: make(map[ast.Expr]ast.Expr),
		at:   make(map[*ast.CallExpr]place),

		compared: make(map[ast.Expr]ast.Expr),

		calls:    make(map[ast.Node][]*ast.CallExpr),
		lastCase: make(map[*ast.CommClause]bool),
		counted:  f.countedBy,
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			if n.Tag == nil {
				break
			}
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					g.tags[e] = n.Tag
					g.compared[e] = &ast.BinaryExpr{X: n.Tag, OpPos: e.Pos(), Op: token.EQL, Y: e}
				}
			}
		case *ast.SelectStmt:
			if cc := lastClause(n); cc != nil {
				g.lastCase[cc] = true
			}
		}
	})
	for _, b := range g.cfg.Blocks {
		if !b.Live {
			continue
		}
		for i, n := range b.Nodes {
			switch n.(type) {
			case *ast.GoStmt, *ast.DeferStmt:
				continue
			}
			for _, call := range g.callsIn(n) {
				g.at[call] = place{b, i}
			}
		}
	}
	g.findLoops()
	return g
}

// lastClause is the last clause of a select that has no default; nil if it has
// one, or no clause.
func lastClause(s *ast.SelectStmt) (last *ast.CommClause) {
	for _, c := range s.Body.List {
		last = c.(*ast.CommClause)
		if last.Comm == nil {
			return nil
		}
	}
	return last
}

// callsIn are the calls in n, without those in function literals.
func (g *graph) callsIn(n ast.Node) []*ast.CallExpr {
	list, ok := g.calls[n]
	if !ok {
		inspectOwn(n, func(n ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok {
				list = append(list, call)
			}
		})
		g.calls[n] = list
	}
	return list
}

// inspectOwn calls visit for n and the nodes in it, without those of function
// literals, which belong to another function.
func inspectOwn(n ast.Node, visit func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		visit(n)
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
}

// findLoops collects the natural loops by the edges that go back to a block on
// the depth-first path. Go's graphs are reducible but for a goto into a block,
// which the compiler refuses.
func (g *graph) findLoops() {
	preds := make(map[*cfg.Block][]*cfg.Block)
	onPath, seen := make(map[*cfg.Block]bool), make(map[*cfg.Block]bool)
	backs := make(map[*cfg.Block][]*cfg.Block)
	var order []*cfg.Block // heads in the order in which their search ends: inner before outer
	var visit func(b *cfg.Block)
	visit = func(b *cfg.Block) {
		seen[b], onPath[b] = true, true
		for _, s := range b.Succs {
			preds[s] = append(preds[s], b)
			if onPath[s] {
				backs[s] = append(backs[s], b)
			} else if !seen[s] {
				visit(s)
			}
		}
		onPath[b] = false
		if len(backs[b]) > 0 {
			order = append(order, b)
		}
	}
	visit(g.cfg.Blocks[0])
	for _, head := range order {
		l := &loop{head: head, blocks: map[*cfg.Block]bool{head: true}, backs: backs[head], node: head.Stmt}
		work := append([]*cfg.Block(nil), backs[head]...)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !l.blocks[b] {
				l.blocks[b] = true
				work = append(work, preds[b]...)
			}
		}
		if head == g.cfg.Blocks[0] && head.Stmt == g.fn.Body() && g.fn.Decl != nil {
			l.node = g.fn.Decl // only a recursion comes back to the beginning itself
		}
		switch l.node.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt, *ast.FuncDecl:
			g.loops = append(g.loops, l)
		}
	}
	g.joinLoops()
}

// joinLoops makes one of two loops of which the outer does nothing before the
// inner: a goto to a label at the start of a loop's body is a continue.
func (g *graph) joinLoops() {
	starts := make(map[*cfg.Block]bool)
	for _, l := range g.loops {
		if len(l.head.Nodes) == 0 && len(l.head.Succs) == 1 {
			starts[l.head.Succs[0]] = true
		}
	}
	g.loops = slices.DeleteFunc(g.loops, func(l *loop) bool {
		_, labeled := l.node.(*ast.LabeledStmt)
		return labeled && starts[l.head]
	})
}

// neverReturns says whether a call ends the goroutine or the process.
func neverReturns(info *types.Info, call *ast.CallExpr) bool {
	switch fn := typeutil.Callee(info, call).(type) {
	case *types.Builtin:
		return fn.Name() == "panic"
	case *types.Func:
		if fn.Pkg() == nil {
			return false
		}
		switch fn.Pkg().Path() {
		case "os":
			return fn.Name() == "Exit"
		case "runtime":
			return fn.Name() == "Goexit"
		case "log":
			switch fn.Name() {
			case "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln":
				return true
			}
		case "go.uber.org/zap", "github.com/sirupsen/logrus", "k8s.io/klog", "k8s.io/klog/v2", "github.com/golang/glog", "google.golang.org/grpc/grpclog":
			return strings.HasPrefix(fn.Name(), "Fatal") || strings.HasPrefix(fn.Name(), "Exit")
		case "testing":
			switch fn.Name() {
			case "Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow":
				return true
			}
		}
	}
	return false
}

// backEdge is where control turns back in source: the last continue or goto,
// else the closing brace.
func (l *loop) backEdge() token.Pos {
	_, recursion := l.node.(*ast.FuncDecl)
	if b := l.body(); b != nil && !recursion {
		return b.Rbrace
	}
	pos := l.node.Pos()
	for _, b := range l.backs {
		if br, ok := b.Stmt.(*ast.BranchStmt); ok {
			pos = max(pos, br.Pos())
		} else if n := len(b.Nodes); n > 0 {
			pos = max(pos, b.Nodes[n-1].End())
		}
	}
	return pos
}
