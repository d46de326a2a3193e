package retrylib

import (
	"go/ast"
	"go/token"
	"go/types"
)

// defs are the changes of every variable and struct field of a package, in
// source order.
type defs map[*types.Var][]change

// A change is one thing that happens to a variable: it is assigned, a field of
// it is, or a method that changes its settings is called.
type change struct {
	pos, end token.Pos
	// value is what is assigned, nil for what can't be written as one
	// expression (a range, a result of a call with several).
	value ast.Expr
	// field is the field that is assigned, nil when it is the whole variable.
	field *types.Var
	// call is the method call, for a change by a setter.
	call *ast.CallExpr
	// zero marks a declaration without a value.
	zero bool

	block ast.Node // innermost block, nil at package level
	fn    ast.Node // innermost function, nil at package level
	loop  ast.Node // innermost loop of that function, nil if none
}

// collect reads the package once.
func collect(info *types.Info, files []*ast.File) defs {
	d := make(defs)
	for _, file := range files {
		var stack []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			d.record(info, n, stack)
			stack = append(stack, n)
			return true
		})
	}
	return d
}

func (d defs) record(info *types.Info, n ast.Node, stack []ast.Node) {
	c := change{pos: n.Pos(), end: n.End()}
	add := func(v *types.Var, c change) {
		for _, outer := range stack {
			switch outer.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				c.fn, c.loop = outer, nil
			case *ast.ForStmt, *ast.RangeStmt:
				c.loop = outer
			}
			switch outer.(type) {
			case *ast.FuncDecl, *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				c.block = outer
			}
		}
		d[v] = append(d[v], c)
	}
	assign := func(lhs, rhs ast.Expr) {
		c.value = rhs
		switch lhs := ast.Unparen(lhs).(type) {
		case *ast.Ident:
			if v, ok := info.ObjectOf(lhs).(*types.Var); ok {
				add(v, c)
			}
		case *ast.SelectorExpr:
			field, ok := info.ObjectOf(lhs.Sel).(*types.Var)
			if !ok {
				return
			}
			add(field, c)
			if holder := variable(info, lhs.X); holder != nil && field.IsField() {
				c.field = field
				add(holder, c)
			}
		case *ast.StarExpr:
			if v := variable(info, lhs.X); v != nil {
				add(v, c)
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			switch {
			case n.Tok != token.ASSIGN && n.Tok != token.DEFINE:
				assign(lhs, nil)
			case len(n.Rhs) == len(n.Lhs):
				assign(lhs, n.Rhs[i])
			case i == 0:
				assign(lhs, n.Rhs[0]) // the first of several results; see evaluator.expr
			default:
				assign(lhs, nil)
			}
		}
	case *ast.IncDecStmt:
		assign(n.X, nil)
	case *ast.RangeStmt:
		for _, lhs := range []ast.Expr{n.Key, n.Value} {
			if lhs != nil {
				assign(lhs, nil)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			switch {
			case len(n.Values) == 0:
				c.zero = true
				assign(name, nil)
			case len(n.Values) == len(n.Names):
				assign(name, n.Values[i])
			case i == 0:
				assign(name, n.Values[0])
			default:
				assign(name, nil)
			}
		}
	case *ast.CompositeLit:
		fields, _ := structOf(info.TypeOf(n))
		for i, elt := range n.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				if fields != nil && i < fields.NumFields() {
					k := c
					k.pos, k.end, k.value = elt.Pos(), elt.End(), elt
					add(fields.Field(i), k)
				}
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); ok {
				if field, ok := info.ObjectOf(key).(*types.Var); ok && field.IsField() {
					k := c
					k.pos, k.end, k.value = kv.Pos(), kv.End(), kv.Value
					add(field, k)
				}
			}
		}
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return
		}
		// A chain of setters changes the variable at its root.
		for root := call; ; {
			sel, ok := ast.Unparen(root.Fun).(*ast.SelectorExpr)
			if !ok {
				return
			}
			if v := variable(info, sel.X); v != nil {
				c.call = call
				add(v, c)
				return
			}
			if root, ok = ast.Unparen(sel.X).(*ast.CallExpr); !ok {
				return
			}
		}
	}
}

// structOf is the struct that a type is, or points to.
func structOf(t types.Type) (*types.Struct, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// variable is the variable or field that an expression names, directly or by
// address.
func variable(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := info.ObjectOf(e.Sel).(*types.Var)
		return v
	case *ast.StarExpr:
		return variable(info, e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return variable(info, e.X)
		}
	}
	return nil
}
