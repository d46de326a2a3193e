package retrysite

import (
	"go/ast"
	"go/types"
)

// callers are the places in which the package uses one of its functions.
type callers struct {
	calls []*ast.CallExpr
	value bool // it is used otherwise too: whoever gets it may call it
}

// callersOf are the uses of a declared function of the package.
func (f *finder) callersOf(fn *types.Func) callers {
	if f.callers == nil {
		f.callers = make(map[*types.Func]*callers)
		of := func(id *ast.Ident) *callers {
			fn, ok := f.info.Uses[id].(*types.Func)
			if !ok || fn.Pkg() != f.pass.Pkg {
				return nil
			}
			c := f.callers[fn.Origin()]
			if c == nil {
				c = &callers{}
				f.callers[fn.Origin()] = c
			}
			return c
		}
		called := make(map[*ast.Ident]bool)
		f.insp.Preorder([]ast.Node{(*ast.CallExpr)(nil), (*ast.Ident)(nil)}, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				if id := calledIdent(n.Fun); id != nil {
					if c := of(id); c != nil {
						called[id] = true
						c.calls = append(c.calls, n)
					}
				}
			case *ast.Ident:
				if !called[n] {
					if c := of(n); c != nil {
						c.value = true
					}
				}
			}
		})
	}
	if c := f.callers[fn.Origin()]; c != nil {
		return *c
	}
	return callers{}
}

// declAround is the declared function that a node stands in, nil if it is in none.
func (f *finder) declAround(n ast.Node) *Func {
	for _, fn := range f.decls {
		if fn.Body() != nil && contains(fn.Body(), n) {
			return fn
		}
	}
	return nil
}

// calledIdent is the name by which a call names what it runs.
func calledIdent(fun ast.Expr) *ast.Ident {
	switch e := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return calledIdent(e.X)
	case *ast.IndexListExpr:
		return calledIdent(e.X)
	}
	return nil
}
