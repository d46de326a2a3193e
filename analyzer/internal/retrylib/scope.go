package retrylib

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A Scope is one package, in which values are followed from where they are
// used to where they are made. It is not safe for use by several goroutines.
type Scope struct {
	info  *types.Info
	files []*ast.File
	defs  defs
	funcs map[*types.Func]*ast.FuncDecl
}

// NewScope prepares a package. Nothing is read before the first question.
func NewScope(info *types.Info, files []*ast.File) *Scope {
	return &Scope{info: info, files: files}
}

func (s *Scope) load() {
	if s.defs != nil {
		return
	}
	s.defs = collect(s.info, s.files)
	s.funcs = make(map[*types.Func]*ast.FuncDecl)
	for _, file := range s.files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if obj, ok := s.info.Defs[fn.Name].(*types.Func); ok {
					s.funcs[obj] = fn
				}
			}
		}
	}
}

// Callee is the function or method that a call names, nil for a func value, a
// conversion or a builtin.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := funcRef(info, call.Fun)
	return fn
}

// funcRef is the function or method that an expression refers to, with its
// receiver for a method value.
func funcRef(info *types.Info, e ast.Expr) (fn *types.Func, recv ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ = info.Uses[e].(*types.Func)
	case *ast.SelectorExpr:
		fn, _ = info.Uses[e.Sel].(*types.Func)
		if sel := info.Selections[e]; sel != nil && sel.Kind() == types.MethodVal {
			recv = e.X
		}
	case *ast.IndexExpr:
		return funcRef(info, e.X)
	case *ast.IndexListExpr:
		return funcRef(info, e.X)
	}
	return fn, recv
}

// reaching are the changes to v that may have happened when pos is reached, in
// source order, and for each whether it certainly has.
func (s *Scope) reaching(v *types.Var, pos token.Pos) (changes []change, certain []bool) {
	local := !v.IsField() && v.Parent() != nil && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
	for _, c := range s.defs[v] {
		before := c.end <= pos
		sure := c.fn == nil || before && within(c.block, pos)
		if local && !before && (c.loop == nil || !within(c.loop, pos)) && !s.inLiteral(c.fn, pos) {
			continue // later in the same function, and nothing leads back from there
		}
		changes, certain = append(changes, c), append(certain, sure)
	}
	return changes, certain
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// inLiteral says whether pos lies in a function literal inside fn.
func (s *Scope) inLiteral(fn ast.Node, pos token.Pos) bool {
	if fn == nil {
		return false
	}
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || found || !within(n, pos) {
			return false
		}
		if lit, ok := n.(*ast.FuncLit); ok && n != fn && within(lit, pos) {
			found = true
		}
		return !found
	})
	return found
}

// single is the one expression that a variable or unexported field ever holds,
// nil if there is more than one or none.
func (s *Scope) single(v *types.Var) ast.Expr {
	s.load()
	if v == nil || v.IsField() && (v.Exported() || v.Embedded()) {
		return nil
	}
	var only ast.Expr
	for _, c := range s.defs[v] {
		if c.field != nil || c.call != nil {
			continue
		}
		if only != nil || c.value == nil && !c.zero {
			return nil
		}
		if !c.zero {
			only = c.value
		}
	}
	return only
}

// constant is the value of an expression that is constant, or a variable that
// is set once, to a constant.
func (s *Scope) constant(e ast.Expr) constant.Value {
	for range 4 {
		if tv, ok := s.info.Types[e]; ok && tv.Value != nil {
			return tv.Value
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr: // a conversion
			if tv, ok := s.info.Types[x.Fun]; !ok || !tv.IsType() || len(x.Args) != 1 {
				return nil
			}
			e = x.Args[0]
			continue
		case *ast.Ident, *ast.SelectorExpr:
		default:
			return nil
		}
		v := variable(s.info, e)
		if v == nil || v.IsField() {
			return nil
		}
		if e = s.single(v); e == nil {
			return nil
		}
	}
	return nil
}

// Closure follows the function that is handed to a library to its source: a
// *ast.FuncLit or a *ast.FuncDecl of the package. It answers nil where the
// function is not known: a parameter, a field, a function of another package,
// a variable with several values.
func (s *Scope) Closure(e ast.Expr) ast.Node {
	s.load()
	return s.closure(e, 6)
}

func (s *Scope) closure(e ast.Expr, depth int) ast.Node {
	if e == nil || depth == 0 {
		return nil
	}
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.FuncLit); ok {
		return lit
	}
	if fn, _ := funcRef(s.info, e); fn != nil {
		if decl := s.funcs[fn.Origin()]; decl != nil && decl.Body != nil {
			return decl
		}
		return nil
	}
	switch x := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return s.closure(s.single(variable(s.info, e)), depth-1)
	case *ast.CallExpr:
		if tv, ok := s.info.Types[x.Fun]; ok && tv.IsType() && len(x.Args) == 1 {
			return s.closure(x.Args[0], depth-1)
		}
		// A function that makes the closure.
		if fn := Callee(s.info, x); fn != nil {
			if decl := s.funcs[fn.Origin()]; decl != nil && decl.Body != nil {
				if ret := onlyReturn(decl.Body); ret != nil && len(ret.Results) == 1 {
					return s.closure(ret.Results[0], depth-1)
				}
			}
		}
	}
	return nil
}

// onlyReturn is the single return statement of a body, nil if there are more.
func onlyReturn(body *ast.BlockStmt) *ast.ReturnStmt {
	rets := returns(body)
	if len(rets) != 1 {
		return nil
	}
	return rets[0]
}

// returns are the return statements of a body, those of literals in it left
// out.
func returns(body *ast.BlockStmt) (rets []*ast.ReturnStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			rets = append(rets, n)
		}
		return true
	})
	return rets
}

// isContext says whether t is context.Context.
func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}
