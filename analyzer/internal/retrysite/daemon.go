package retrysite

import (
	"go/ast"
	"go/types"
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
	uses, all := 0, true
	for _, file := range f.pass.Files {
		var stack []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return false
			}
			stack = append(stack, n)
			id, isName := n.(*ast.Ident)
			if fn.Lit != nil && n != ast.Node(fn.Lit) || fn.Lit == nil && (!isName || f.info.Uses[id] != types.Object(fn.Obj) || fn.Obj == nil) {
				return all
			}
			uses++
			all = all && f.startedBy(stack, depth)
			return all
		})
		if !all {
			return false
		}
	}
	return uses > 0
}

// startedBy says whether what stands at the end of a stack of nodes is called
// by a go statement, or within a function that is run by one.
func (f *finder) startedBy(stack []ast.Node, depth int) bool {
	i := len(stack) - 2
	if sel, ok := stack[i].(*ast.SelectorExpr); ok && sel.Sel == stack[i+1] {
		i--
	}
	call, ok := stack[i].(*ast.CallExpr)
	if !ok || call.Fun != stack[i+1] {
		return false
	}
	if _, ok := stack[i-1].(*ast.GoStmt); ok {
		return true
	}
	for i--; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncLit:
			return f.background(f.lits[n], depth+1)
		case *ast.FuncDecl:
			callee, _ := f.info.Defs[n.Name].(*types.Func)
			outer := f.res.FuncOf(callee)
			return outer != nil && outer.Type().Results == nil && f.background(outer, depth+1)
		}
	}
	return false
}

// isNilCheck says whether an expression compares something with nil.
func (f *finder) isNilCheck(b *ast.BinaryExpr) bool {
	return f.info.Types[b.Y].IsNil() || f.info.Types[b.X].IsNil()
}
