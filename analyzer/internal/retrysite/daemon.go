package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
)

// untold says whether a loop goes on for as long as its owner lives, with
// nobody to tell what fails: its function is a goroutine's and gives no more
// than what the operation does when it went well, nothing counts the attempts,
// and the error is shown at most.
func (f *finder) untold(s *Site) bool {
	if s.Kind != KindLoop || s.Attempts.Bounded() || f.tells(s.Func) || s.Op().Err == nil || !f.background(s.Func, 0) {
		return false
	}
	used := false
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			return !f.isNilCheck(n)
		case *ast.AssignStmt:
			for _, e := range n.Rhs {
				used = used || mentionsVar(f.info, e, s.Op().Err)
			}
			return false
		case *ast.CallExpr:
			if callee := calleeOf(f.info, n); callee != nil && logs(callee) {
				return false
			}
		case *ast.Ident:
			used = used || f.info.Uses[n] == types.Object(s.Op().Err)
		}
		return !used
	})
	return !used
}

// tells says whether a function has a result by which its caller could learn of
// a failure.
func (f *finder) tells(fn *Func) bool {
	r := fn.Type().Results
	if r == nil {
		return false
	}
	for _, field := range r.List {
		t := f.info.TypeOf(field.Type)
		if _, basic := t.Underlying().(*types.Basic); basic || isError(t) || implementsError(t) {
			return true
		}
	}
	return len(r.List) != 1 || len(r.List[0].Names) > 1
}

// background says whether a function of the package is run by go statements
// only, or called by such functions only.
func (f *finder) background(fn *Func, depth int) bool {
	if depth > 3 {
		return false
	}
	var calls []*ast.CallExpr
	if fn.Lit != nil {
		lit, _ := f.insp.Root().FindNode(fn.Lit)
		call, ok := lit.Parent().Node().(*ast.CallExpr)
		if !ok || call.Fun != ast.Expr(fn.Lit) {
			return false
		}
		calls = append(calls, call)
	} else if fn.Obj != nil {
		uses := f.callersOf(fn.Obj)
		if uses.value {
			return false
		}
		calls = uses.calls
	}
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call *ast.CallExpr) bool { return !f.startedBy(call, depth) })
}

// startedBy says whether a call is one of a go statement, or stands in a
// function that is run by one.
func (f *finder) startedBy(call *ast.CallExpr, depth int) bool {
	at, _ := f.insp.Root().FindNode(call)
	if _, ok := at.Parent().Node().(*ast.GoStmt); ok {
		return true
	}
	for outer := range at.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch n := outer.Node().(type) {
		case *ast.FuncLit:
			return f.background(f.lits[n], depth+1)
		case *ast.FuncDecl:
			callee, _ := f.info.Defs[n.Name].(*types.Func)
			fn := f.res.FuncOf(callee)
			return fn != nil && fn.Type().Results == nil && f.background(fn, depth+1)
		}
	}
	return false
}

// isNilCheck says whether an expression compares something with nil.
func (f *finder) isNilCheck(b *ast.BinaryExpr) bool {
	return f.info.Types[b.Y].IsNil() || f.info.Types[b.X].IsNil()
}
