package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// idle says whether a look at an error decides nothing: whichever way it is
// answered, the failure is at most logged, counted for those who watch, or
// wrapped, and then goes back.
//
//	if errors.Is(err, io.EOF) {
//		log.Print("closed by the other side")
//	}
func (f *finder) idle(fn *Func, look ast.Expr) bool {
	asked := false // by a case of the switch that comes next
	for _, n := range enclosingPath(fn.Body(), look) {
		switch n := n.(type) {
		case *ast.IfStmt:
			return contains(n.Cond, look) && f.onlyTells(fn, n)
		case *ast.SwitchStmt:
			return f.onlyTells(fn, n)
		case *ast.CaseClause:
			asked = true
		case *ast.BlockStmt:
			if !asked {
				return false
			}
		case *ast.FuncLit:
			return false
		}
	}
	return false
}

// onlyTells says whether a statement does no more than to log, to count, or to
// wrap the error.
func (f *finder) onlyTells(fn *Func, s ast.Stmt) bool {
	all := func(list []ast.Stmt) bool {
		for _, s := range list {
			if !f.onlyTells(fn, s) {
				return false
			}
		}
		return true
	}
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return true
	case *ast.BlockStmt:
		return all(s.List)
	case *ast.IfStmt:
		return all(s.Body.List) && (s.Else == nil || f.onlyTells(fn, s.Else))
	case *ast.SwitchStmt:
		return all(s.Body.List)
	case *ast.CaseClause:
		return all(s.Body)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && f.tellsOnly(call)
	case *ast.IncDecStmt:
		return !f.readBack(fn, s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN || !isError(f.info.TypeOf(s.Lhs[0])) {
			return false
		}
		call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		return ok && (fullName(calleeOf(f.info, call)) == "fmt.Errorf" || wraps(calleeOf(f.info, call)))
	}
	return false
}

// tellsOnly says whether a call logs something or counts it in a metric.
func (f *finder) tellsOnly(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if callee == nil || neverReturns(f.info, call) || endsProcess(callee.Name()) {
		return false
	}
	if own := f.res.FuncOf(callee); own != nil {
		set := make(map[types.Object]bool)
		f.setBy(own, set)
		return logs(callee) && len(set) == 0
	}
	switch pkgPath(callee) {
	case "log", "log/slog":
		return true
	case "fmt":
		return logName(callee.Name())
	}
	switch callee.Name() {
	case "Inc", "Incr", "Increment", "Observe":
		return true
	}
	return logs(callee)
}

// endsProcess says whether a logger's method is named for not coming back.
func endsProcess(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "fatal") || strings.HasPrefix(name, "panic")
}

// readBack says whether a counter is read anywhere else in the function, or may
// be read where the function can't be followed: a field, a result.
func (f *finder) readBack(fn *Func, counter ast.Expr) (found bool) {
	v := varOf(f.info, counter)
	if v == nil || v.IsField() || !isPackageLevel(v) && v.Pos() < fn.Body().Pos() {
		return true
	}
	written := make(map[ast.Node]bool)
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			written[n.X] = true
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				written[l] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				written[id] = true
			}
		}
	})
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && f.tellsOnly(call) {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && !written[id] && f.info.ObjectOf(id) == types.Object(v)
		return !found
	})
	return found
}
