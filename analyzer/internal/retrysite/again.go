package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// again is a literal by which a function calls itself once more, and the local
// variable that holds it:
//
//	again := func(err error) error {
//		if attempts == 0 {
//			return err
//		}
//		time.Sleep(delay)
//		return c.refresh(attempts - 1)
//	}
//
// It is nil unless all that is done with it is to return what it gives.
func (f *finder) again(fn *Func) (lit *Func, held *types.Var) {
	for _, inner := range fn.literals {
		if f.callsOf(inner, fn.Obj) == 0 {
			continue
		}
		if lit != nil {
			return nil, nil
		}
		lit = inner
	}
	if lit == nil {
		return nil, nil
	}
	calls, uses := 0, 0
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(lit.Lit) {
				held = varOf(f.info, n.Lhs[0])
			}
		case *ast.ReturnStmt:
			if returnsCall(f.info, n, held) != nil {
				calls++
			}
		case *ast.Ident:
			if v, ok := f.info.Uses[n].(*types.Var); ok && v == held {
				uses++
			}
		}
	})
	if held == nil || held.IsField() || calls == 0 || calls != uses || f.literalOf(fn, held) != lit {
		return nil, nil
	}
	return lit, held
}

// callsOf counts the calls in fn of a function.
func (f *finder) callsOf(fn *Func, callee *types.Func) (n int) {
	for _, call := range fn.calls {
		if calleeOf(f.info, call) == callee {
			n++
		}
	}
	return n
}

// returnsCall is the call of a function that a variable holds, if it is all that
// a statement returns; nil otherwise.
func returnsCall(info *types.Info, ret *ast.ReturnStmt, held *types.Var) *ast.CallExpr {
	if held == nil || len(ret.Results) != 1 {
		return nil
	}
	call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
	if !ok || varOf(info, call.Fun) != held {
		return nil
	}
	return call
}

// inline puts the blocks of a literal into the graph, and has the returns of what
// it gives lead there.
func (f *finder) inline(g *graph, lit *Func, held *types.Var) {
	inner := f.newGraph(lit)
	for _, b := range g.cfg.Blocks {
		for i, n := range b.Nodes {
			ret, ok := n.(*ast.ReturnStmt)
			if !ok {
				continue
			}
			call := returnsCall(f.info, ret, held)
			if call == nil {
				continue
			}
			given := &ast.AssignStmt{TokPos: call.Pos(), Tok: token.DEFINE, Rhs: call.Args}
			for _, field := range lit.Type().Params.List {
				for _, name := range field.Names {
					given.Lhs = append(given.Lhs, name)
				}
			}
			b.Nodes = b.Nodes[:i:i]
			if len(given.Lhs) == len(given.Rhs) && len(given.Lhs) > 0 {
				b.Nodes = append(b.Nodes, given)
			}
			b.Succs = []*cfg.Block{inner.cfg.Blocks[0]}
			delete(g.at, call)
			break
		}
	}
	g.cfg.Blocks = append(g.cfg.Blocks, inner.cfg.Blocks...)
	maps.Copy(g.at, inner.at)
	maps.Copy(g.tags, inner.tags)
	maps.Copy(g.compared, inner.compared)
	maps.Copy(g.lastCase, inner.lastCase)
}
