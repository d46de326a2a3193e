package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A ZeroRound says what follows when the bound of a site lets the operation
// not run at all.
type ZeroRound struct {
	// Possible says that the bound comes from outside and that nothing was
	// found that validates it.
	Possible bool
	// Bound is what the number comes from: a parameter, a field.
	Bound *types.Var
	// Least is the smallest value of Bound with which an attempt is made.
	Least int64
	// ReturnsNil is the return statement that then gives nil for an error.
	ReturnsNil *ast.ReturnStmt
	// Uses is the use of a result of the operation, which is then nil, when the
	// function goes on as if it had succeeded.
	Uses ast.Expr
	// Panics is the index expression that then has no element to give.
	Panics ast.Expr
}

// zeroRounds judges the sites whose bound stands before the first attempt.
func (f *finder) zeroRounds() {
	for _, s := range f.res.Sites {
		if s.Kind != KindLoop || !s.Attempts.MayBeZero || s.Attempts.Expr == nil {
			continue
		}
		v, ok := f.boundSource(s.Func, s.Attempts.Expr, 0)
		if !ok || v == nil || !f.fromOutside(s.Func, v) || f.validated(s, v) || f.validated(s, varOf(f.info, s.Attempts.Expr)) {
			continue
		}
		if f.meansNone(s, v) {
			continue
		}
		least := f.leastBound(s)
		if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 && least <= 0 {
			continue // it can't be negative
		}
		s.Zero.Bound, s.Zero.Least = v, least
		f.afterZero(s)
		s.Zero.Possible = s.Zero.ReturnsNil != nil || s.Zero.Uses != nil || s.Zero.Panics != nil
	}
}

// meansNone says whether the condition of a loop asks for the bound beside, so
// that some value of it means that there is none: n <= 0 || i < n.
func (f *finder) meansNone(s *Site, bound *types.Var) (found bool) {
	loop, ok := s.Node.(*ast.ForStmt)
	if !ok || loop.Cond == nil {
		return false
	}
	ast.Inspect(loop.Cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && b.Op == token.LOR {
			for _, p := range [2][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				found = found || contains(p[0], s.Attempts.Expr) && mentionsVar(f.info, p[1], bound)
			}
		}
		return !found
	})
	return found
}

// boundSource is the parameter or field from which a bound is computed by
// additions; not ok where anything else is in it.
func (f *finder) boundSource(fn *Func, e ast.Expr, depth int) (*types.Var, bool) {
	if depth > 4 {
		return nil, false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := varOf(f.info, e)
		if v == nil {
			return nil, false
		}
		if f.paramOf(fn, v) != nil && len(f.valuesOf(fn, v)) == 0 {
			return v, true
		}
		if vals := f.valuesOf(fn, v); len(vals) == 1 && vals[0].expr != nil && f.isSetting(vals[0].expr) {
			return v, true
		}
		if x := f.singleValue(fn, v); x != nil && !isPackageLevel(v) {
			return f.boundSource(fn, x, depth+1)
		}
	case *ast.SelectorExpr:
		if v := varOf(f.info, e); v != nil && v.IsField() {
			return v, true
		}
	case *ast.BinaryExpr:
		if e.Op != token.ADD && e.Op != token.SUB {
			return nil, false
		}
		for _, p := range [2][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
			if f.info.Types[p[1]].Value != nil {
				if v, ok := f.boundSource(fn, p[0], depth+1); ok {
					return v, true
				}
			}
		}
	case *ast.CallExpr:
		if tv := f.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return f.boundSource(fn, e.Args[0], depth+1)
		}
		// A getter of a policy that was configured elsewhere.
		if callee := calleeOf(f.info, e); callee != nil && len(e.Args) == 0 && callee.Signature().Recv() != nil && types.IsInterface(callee.Signature().Recv().Type()) {
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
				if v := varOf(f.info, sel.X); v != nil {
					return v, true
				}
			}
		}
	}
	return nil, false
}

// fromOutside says whether a bound is given by someone else: a parameter of an
// exported function, one for which a call in the package has no constant, or a
// field that is exported or set from a parameter.
func (f *finder) fromOutside(fn *Func, v *types.Var) bool {
	if v.IsField() {
		return v.Exported() || f.setFromParam(v)
	}
	owner := f.paramOf(fn, v)
	if owner == nil {
		return !isPackageLevel(v) // a policy
	}
	if owner.Obj == nil {
		return false
	}
	if owner.Obj.Exported() {
		return true
	}
	index := f.paramIndex(owner, v)
	return slices.ContainsFunc(f.callersOf(owner.Obj).calls, func(c *ast.CallExpr) bool {
		return index < len(c.Args) && f.givenFromOutside(f.declAround(c), c.Args[index])
	})
}

// givenFromOutside says whether what a function of the package hands on is
// somebody else's number as it is: a setting, an exported field, or a parameter of
// an exported function.
func (f *finder) givenFromOutside(fn *Func, e ast.Expr) bool {
	if f.info.Types[e].Value != nil {
		return false
	}
	if f.isSetting(e) {
		return true
	}
	v := varOf(f.info, e)
	switch {
	case v == nil:
		return false
	case v.IsField():
		return v.Exported()
	case f.compared(v, nil):
		return false
	}
	if fn == nil {
		return false
	}
	if owner := f.paramOf(fn, v); owner != nil {
		return owner.Obj != nil && owner.Obj.Exported() && len(f.valuesOf(fn, v)) == 0
	}
	vals := f.valuesOf(fn, v)
	return len(vals) == 1 && vals[0].expr != nil && f.isSetting(vals[0].expr)
}

// setFromParam says whether a field is set from a parameter as it is.
func (f *finder) setFromParam(field *types.Var) (found bool) {
	for _, fn := range f.decls {
		if fn.Body() == nil || found {
			continue
		}
		given := func(e ast.Expr) {
			if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
				e = ix.X // the only one of those that may be left out
			}
			if p := varOf(f.info, e); p != nil && f.paramOf(fn, p) != nil && !f.compared(p, nil) {
				found = true
			}
		}
		inspectOwn(fn.Body(), func(n ast.Node) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if len(n.Lhs) != len(n.Rhs) {
					return
				}
				for i, l := range n.Lhs {
					if sel, ok := l.(*ast.SelectorExpr); ok && varOf(f.info, sel) == field {
						given(n.Rhs[i])
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok && f.info.Uses[id] == types.Object(field) {
					given(n.Value)
				}
			}
		})
	}
	return found
}

// validated says whether anything but the loop itself compares the bound's
// source, or corrects it.
func (f *finder) validated(s *Site, v *types.Var) bool { return v != nil && f.compared(v, s.Node) }

// compared says whether anything compares a number, or corrects it, outside of
// one statement and of the conditions of loops.
func (f *finder) compared(v *types.Var, but ast.Node) (found bool) {
	inside := func(n ast.Node) bool { return but != nil && contains(but, n) }
	for _, file := range f.pass.Files {
		if found {
			return true
		}
		if !v.IsField() && (v.Pos() < file.FileStart || v.Pos() >= file.FileEnd) {
			continue
		}
		rounds := make(map[ast.Node]bool) // conditions of other loops that go as far
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				if n.Cond != nil {
					rounds[n.Cond] = true
				}
			case *ast.BinaryExpr:
				switch n.Op {
				case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				default:
					return true
				}
				if rounds[n] {
					return true
				}
				if inside(n) {
					return true
				}
				for _, side := range []ast.Expr{n.X, n.Y} {
					if varOf(f.info, side) == v {
						found = true
					}
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && varOf(f.info, n.Tag) == v {
					found = true
				}
			case *ast.CallExpr:
				// max(n, 1), cmp.Or(n, 3), or a helper that is given it.
				if inside(n) {
					return true
				}
				for _, a := range n.Args {
					if varOf(f.info, a) == v && f.corrects(n) {
						found = true
					}
				}
			}
			return !found
		})
	}
	return found
}

func (f *finder) corrects(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && f.info.Types[call.Fun].IsBuiltin() {
		return id.Name == "max"
	}
	t := f.info.TypeOf(call)
	return t != nil && isInteger(t) && !f.info.Types[call.Fun].IsType()
}

// afterZero looks at what follows the loop when it has not run.
func (f *finder) afterZero(s *Site) {
	stmts := following(s.Func.Body(), s.Node)
	index, _ := f.errorResult(s.Func)
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.IfStmt:
			// if err != nil { return err }: with a nil error it is passed by.
			if b, ok := ast.Unparen(st.Cond).(*ast.BinaryExpr); ok && b.Op == token.NEQ && st.Init == nil && st.Else == nil && f.nilBefore(s, b.X) && f.info.Types[b.Y].IsNil() {
				continue
			}
			f.usesResult(s, st)
			return
		case *ast.ReturnStmt:
			if f.usesResult(s, st) || index < 0 {
				return
			}
			var e ast.Expr
			switch {
			case len(st.Results) == 0:
				e = f.resultName(s.Func, index)
			case index < len(st.Results) && len(st.Results) > 1 || index == 0 && len(st.Results) == 1:
				e = st.Results[index]
			}
			if e != nil && (f.info.Types[e].IsNil() || f.nilBefore(s, f.wrapped(e))) {
				s.Zero.ReturnsNil = st
			}
			return
		case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt:
			if f.usesResult(s, st) {
				return
			}
			if _, ok := st.(*ast.ExprStmt); !ok {
				return
			}
		default:
			return
		}
	}
}

// wrapped is what is handed to a function that wraps an error and leaves nil as it
// is; e itself where there is none.
func (f *finder) wrapped(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return e
	}
	callee := calleeOf(f.info, call)
	if callee == nil || callee.Pkg() == nil || callee.Pkg().Name() != "errors" {
		return e
	}
	switch callee.Name() {
	case "WithStack", "WithMessage", "WithMessagef", "Wrap", "Wrapf", "Trace", "Annotate", "Annotatef":
		return call.Args[0]
	}
	return e
}

// following are the statements after one, in its block.
func following(body *ast.BlockStmt, n ast.Node) (list []ast.Stmt) {
	ast.Inspect(body, func(m ast.Node) bool {
		b, ok := m.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, st := range b.List {
			if lab, ok := st.(*ast.LabeledStmt); ok {
				st = lab.Stmt
			}
			if ast.Node(st) == n {
				list = b.List[i+1:]
			}
		}
		return true
	})
	return list
}

// nilBefore says whether an error variable is nil when the loop has not run:
// everything that assigns it stands in the loop.
func (f *finder) nilBefore(s *Site, e ast.Expr) bool {
	v := varOf(f.info, e)
	if v == nil || v.IsField() || isPackageLevel(v) || !isError(v.Type()) || f.addressTaken(s.Func, v) {
		return false
	}
	if f.paramOf(s.Func, v) != nil {
		return false
	}
	if v.Pos() >= s.Node.Pos() && v.Pos() < s.Node.End() {
		return false
	}
	for _, a := range f.valuesOf(s.Func, v) {
		if a.node.Pos() < s.Node.Pos() && !(a.expr != nil && f.info.Types[a.expr].IsNil()) {
			return false
		}
	}
	return true
}

// usesResult notes the use of a pointer or interface that only the operation
// sets.
func (f *finder) usesResult(s *Site, n ast.Node) bool {
	inspectOwn(n, func(n ast.Node) {
		if ix, ok := n.(*ast.IndexExpr); ok && s.Zero.Uses == nil && s.Zero.Panics == nil && f.indexesNone(s, ix) {
			s.Zero.Panics = ix
			return
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || s.Zero.Uses != nil {
			return
		}
		v := varOf(f.info, sel.X)
		if v == nil || v.IsField() || !nilable(v.Type()) {
			return
		}
		for _, r := range s.Op().Results {
			if r == v && len(f.valuesOf(s.Func, v)) == 1 {
				s.Zero.Uses = sel
			}
		}
	})
	return s.Zero.Uses != nil || s.Zero.Panics != nil
}

// indexesNone says whether an index expression has no element to give when the
// loop has not run: one of the round before the counter, which starts at zero,
// or of a slice that is as long as the bound.
func (f *finder) indexesNone(s *Site, ix *ast.IndexExpr) bool {
	if t := f.info.TypeOf(ix.X); t == nil {
		return false
	} else if _, ok := t.Underlying().(*types.Slice); !ok {
		return false
	}
	if v := varOf(f.info, ix.X); v != nil && !v.IsField() && !isPackageLevel(v) {
		if call, ok := f.singleValue(s.Func, v).(*ast.CallExpr); ok && len(call.Args) == 2 {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "make" {
				if size, ok := f.boundSource(s.Func, call.Args[1], 0); ok && size == s.Zero.Bound &&
					types.ExprString(call.Args[1]) == types.ExprString(s.Attempts.Expr) {
					return true
				}
			}
		}
	}
	b, ok := ast.Unparen(ix.Index).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB || s.Attempts.Counter == nil || varOf(f.info, b.X) != s.Attempts.Counter {
		return false
	}
	if n, ok := f.constInt(b.Y); !ok || n < 1 {
		return false
	}
	for _, a := range f.valuesOf(s.Func, s.Attempts.Counter) {
		if a.node.Pos() >= s.Node.Pos() {
			continue
		}
		if a.expr == nil {
			return false
		}
		if n, ok := f.constInt(a.expr); !ok || n != 0 {
			return false
		}
	}
	return true
}
