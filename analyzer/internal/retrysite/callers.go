package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
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

// handedOnlyLocal says whether a call runs a func parameter of a function that is
// not exported, and all who call that hand in what stays in the process, such as
// os.RemoveAll.
func (f *finder) handedOnlyLocal(fn *Func, call *ast.CallExpr) bool {
	v, ok := objectOf(f.info, call.Fun).(*types.Var)
	if !ok || v.IsField() {
		return false
	}
	owner := f.paramOf(fn, v)
	if owner == nil || owner.Obj == nil || owner.Obj.Exported() || len(f.valuesOf(fn, v)) > 0 {
		return false
	}
	uses, i := f.callersOf(owner.Obj), f.paramIndex(owner, v)
	return !uses.value && len(uses.calls) > 0 && i >= 0 && !slices.ContainsFunc(uses.calls, func(c *ast.CallExpr) bool {
		return i >= len(c.Args) || !f.runsHere(c.Args[i])
	})
}

// runsHere says whether a function that is handed on stays in the process.
func (f *finder) runsHere(e ast.Expr) bool {
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return f.reachBody(f.lits[lit], 1) == ReachLocal
	}
	fn, ok := objectOf(f.info, e).(*types.Func)
	return ok && f.reachFunc(fn, 1) == ReachLocal
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
