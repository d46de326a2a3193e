package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
)

// madeByHelper are what a function of the package that makes a request, and
// gives it to its caller, may make it with; not ok where that is not known.
func (f *finder) madeByHelper(call *ast.CallExpr, depth int) (bodies []ast.Expr, in *Func, ok bool) {
	maker := f.res.FuncOf(calleeOf(f.info, call))
	if maker == nil || maker.Body() == nil || depth > 2 {
		return nil, nil, false
	}
	ok = true
	inspectOwn(maker.Body(), func(n ast.Node) {
		ret, isReturn := n.(*ast.ReturnStmt)
		if !isReturn || !ok {
			return
		}
		if len(ret.Results) == 0 {
			ok = false // a named result
			return
		}
		first := ast.Unparen(ret.Results[0])
		made, isCall := first.(*ast.CallExpr)
		switch {
		case f.info.Types[first].IsNil():
		case isCall:
			if body := requestBody(f.info, made); body != nil {
				bodies = append(bodies, body)
			} else {
				ok = false
			}
		default:
			v := varOf(f.info, first)
			if v == nil || v.IsField() || f.setsBody(maker, v) {
				ok = false
				return
			}
			of := f.bodiesOf(maker, v)
			bodies, ok = append(bodies, of...), len(of) > 0
		}
	})
	return bodies, maker, ok && len(bodies) > 0
}

// requestBody is the argument of a call of package net/http by which a request
// is given its body; nil if it is no such call.
func requestBody(info *types.Info, call *ast.CallExpr) ast.Expr {
	switch fullName(calleeOf(info, call)) {
	case "net/http.NewRequest":
		if len(call.Args) == 3 {
			return call.Args[2]
		}
	case "net/http.NewRequestWithContext":
		if len(call.Args) == 4 {
			return call.Args[3]
		}
	}
	return nil
}

// setsBody says whether a function gives a request another body than the one
// that it was made with.
func (f *finder) setsBody(fn *Func, req *types.Var) (found bool) {
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && varOf(f.info, sel.X) == req {
			found = found || sel.Sel.Name == "Body" || sel.Sel.Name == "GetBody"
		}
		return !found
	})
	return found
}

// neverWithBody says whether all the requests that a function of the package can
// be given are made in the package, and none of them with a body: the function
// is not exported, and either its callers show it or nothing in the package
// makes a request that has one.
func (f *finder) neverWithBody(fn *Func, req *types.Var, depth int) bool {
	if fn.Obj == nil || fn.Obj.Exported() || depth > 3 {
		return false
	}
	index := f.paramIndex(fn, req)
	used := f.callersOf(fn.Obj)
	if len(used.calls) == 0 {
		return used.value && f.bodiless()
	}
	return index >= 0 && !slices.ContainsFunc(used.calls, func(call *ast.CallExpr) bool {
		return index >= len(call.Args) || !f.withoutBody(call, call.Args[index], depth)
	})
}

// withoutBody says whether an argument of a call is a request that was made
// without a body.
func (f *finder) withoutBody(call *ast.CallExpr, arg ast.Expr, depth int) bool {
	v := varOf(f.info, arg)
	fn := f.funcAround(call)
	if v == nil || v.IsField() || fn == nil {
		return false
	}
	if f.paramOf(fn, v) != nil && len(f.valuesOf(fn, v)) == 0 {
		return !f.setsBody(fn, v) && f.neverWithBody(fn, v, depth+1)
	}
	bodies := f.bodiesOf(fn, v)
	for _, b := range bodies {
		if !f.isNoBody(b) {
			return false
		}
	}
	return len(bodies) > 0 && !f.setsBody(fn, v)
}

// funcAround is the declaration around a node.
func (f *finder) funcAround(n ast.Node) *Func {
	for _, fn := range f.decls {
		if fn.Body() != nil && contains(fn.Body(), n) {
			return fn
		}
	}
	return nil
}

func (f *finder) isNoBody(e ast.Expr) bool {
	if f.info.Types[e].IsNil() {
		return true
	}
	o := objectOf(f.info, e)
	return o != nil && o.Name() == "NoBody" && o.Pkg() != nil && o.Pkg().Path() == "net/http"
}

// givenIn says whether a variable is declared in a region, so that each attempt
// has its own.
func (f *finder) givenIn(region ast.Node, v *types.Var) bool {
	return region.Pos() <= v.Pos() && v.Pos() < region.End()
}

// heldRequest says whether e is the request that something from outside of a
// region keeps in a field, and the package puts requests with a body there, or a
// body into the request.
func (f *finder) heldRequest(region ast.Node, e ast.Expr, field *types.Var) (found bool) {
	holder := rootVar(f.info, e)
	if !isRequest(field.Type()) || holder == nil || f.givenIn(region, holder) || f.mayRenewIn(region, holder, field) {
		return false
	}
	for _, fn := range f.decls {
		if fn.Body() == nil {
			continue
		}
		ast.Inspect(fn.Body(), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if varOf(f.info, n.Key) != field {
					break
				}
				if req := varOf(f.info, n.Value); req != nil && !req.IsField() {
					for _, body := range f.bodiesOf(fn, req) {
						found = found || !f.isNoBody(body)
					}
				}
			case *ast.AssignStmt:
				if sel, ok := ast.Unparen(n.Lhs[0]).(*ast.SelectorExpr); ok && len(n.Lhs) == 1 && varOf(f.info, sel.X) == field {
					found = found || sel.Sel.Name == "Body" && !f.isNoBody(n.Rhs[0])
				}
			}
			return !found
		})
	}
	return found
}

// mayRenewIn says whether something in a region may give the request in a field
// of holder a new body: what is done with holder as a whole, or with what it has
// of the request.
func (f *finder) mayRenewIn(region ast.Node, holder, field *types.Var) (found bool) {
	ast.Inspect(region, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || rootVar(f.info, n.X) == holder && namesBody(n)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || varOf(f.info, l) == holder || varOf(f.info, l) == field
			}
		case *ast.CallExpr:
			given := false
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && f.info.Selections[sel] != nil {
				given = varOf(f.info, sel.X) == holder
			}
			for _, a := range n.Args {
				given = given || varOf(f.info, a) == holder
			}
			if callee := calleeOf(f.info, n); given && !(callee != nil && pkgPath(callee) == "net/http") {
				own := f.res.FuncOf(callee)
				found = found || own == nil || own.Body() == nil || namesBody(own.Body())
			}
		}
		return !found
	})
	return found
}

// namesBody says whether something selects a body, or what makes one.
func namesBody(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Body", "GetBody", "Clone":
				found = true
			}
		}
		return !found
	})
	return found
}

// bodiless says whether the package makes requests, none of them with a body,
// and is handed none from outside.
func (f *finder) bodiless() bool {
	made, with := false, false
	for _, file := range f.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if body := requestBody(f.info, n); body != nil {
					made, with = true, with || !f.isNoBody(body)
				}
			case *ast.CompositeLit:
				t := f.info.TypeOf(n)
				with = with || t != nil && t.String() == "net/http.Request"
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && sel.Sel.Name == "Body" {
						with = with || isRequest(f.info.TypeOf(sel.X))
					}
				}
			case *ast.FuncDecl:
				with = with || ast.IsExported(n.Name.Name) && f.takesRequest(n)
			}
			return !with
		})
	}
	return made && !with
}

func (f *finder) takesRequest(fn *ast.FuncDecl) bool {
	for _, p := range fn.Type.Params.List {
		if t := f.info.TypeOf(p.Type); t != nil && isRequest(t) {
			return true
		}
	}
	return false
}
