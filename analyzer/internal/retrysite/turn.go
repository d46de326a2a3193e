package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A turn says what a method that goes round a list of its receiver does with
// the element whose turn it is.
type turn struct {
	gives bool // returns it
	sets  bool // keeps it in a field of the receiver
}

// turnOf reads the body of a method of the package. A list is gone round by a
// field that the method moves and takes the element by (s.list[s.next]), or by
// putting the first to the end. A method that takes what it gives off the list
// is a pool, whose things all do the same.
func (f *finder) turnOf(callee *types.Func) (out turn) {
	fn := f.res.FuncOf(callee)
	if fn == nil || fn.Decl == nil || fn.Decl.Recv == nil || fn.Body() == nil || callee.Signature().Recv() == nil {
		return out
	}
	names := fn.Decl.Recv.List[0].Names
	if len(names) == 0 {
		return out
	}
	r := &rounds{f: f, recv: f.info.ObjectOf(names[0]), moved: make(map[ref]bool), put: make(map[ref][]ast.Expr), from: make(map[types.Object]bool)}
	inspectOwn(fn.Body(), r.changes)
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				return
			}
			for i, l := range n.Lhs {
				if !r.element(n.Rhs[i]) {
					continue
				}
				if to := refOf(f.info, l); to.root == r.recv && to.path != "" {
					out.sets = true
				} else if to.root != nil {
					r.from[to.root] = true
				}
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				out.gives = out.gives || r.element(e)
			}
		}
	})
	return out
}

// rounds is what turnOf has found out about a method.
type rounds struct {
	f     *finder
	recv  types.Object
	moved map[ref]bool          // fields of the receiver that the method counts on
	put   map[ref][]ast.Expr    // lists, with the places that are given an element
	from  map[types.Object]bool // variables that hold the element
}

func (r *rounds) changes(n ast.Node) {
	field := func(e ast.Expr) {
		if of := refOf(r.f.info, e); of.root == r.recv && of.path != "" && isInteger(r.f.info.TypeOf(e)) {
			r.moved[of] = true
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			field(l)
			if index, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
				if of := refOf(r.f.info, index.X); of.root == r.recv {
					r.put[of] = append(r.put[of], index.Index)
				}
			}
		}
	case *ast.IncDecStmt:
		field(n.X)
	case *ast.CallExpr:
		callee := calleeOf(r.f.info, n)
		if callee == nil || pkgPath(callee) != "sync/atomic" || !strings.HasPrefix(callee.Name(), "Add") {
			return
		}
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && r.f.info.Selections[sel] != nil {
			if of := refOf(r.f.info, sel.X); of.root == r.recv {
				r.moved[of] = true
			}
		} else if addr, ok := ast.Unparen(n.Args[0]).(*ast.UnaryExpr); ok && addr.Op == token.AND {
			field(addr.X)
		}
	}
}

// element says whether e is, or is computed from, the element whose turn it is.
func (r *rounds) element(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || r.from[r.f.info.ObjectOf(n)]
		case *ast.IndexExpr:
			list := refOf(r.f.info, n.X)
			if list.root != r.recv || list.path == "" || isMap(r.f.info.TypeOf(n.X)) {
				return !found
			}
			ast.Inspect(n.Index, func(in ast.Node) bool {
				if e, ok := in.(ast.Expr); ok && r.moved[refOf(r.f.info, e)] {
					found = true
				}
				return !found
			})
			for _, at := range r.put[list] {
				found = found || types.ExprString(at) != types.ExprString(n.Index)
			}
		}
		return !found
	})
	return found
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}
