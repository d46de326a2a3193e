package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// owns says whether v is a local variable of the site's function itself.
func (lw *lossWalk) owns(v *types.Var) bool {
	b := lw.w.g.fn
	if v.IsField() || v.Pos() < b.Type().Pos() || v.Pos() >= b.Body().End() {
		return false
	}
	return true
}

func rootVar(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// holds says what an expression has of the last error.
func (lw *lossWalk) holds(st *lossNode, e ast.Expr) held {
	info := lw.f.info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := info.ObjectOf(e); o != nil {
			return st.vars[o]
		}
	case *ast.SelectorExpr:
		if root := rootVar(info, e.X); root != nil {
			return st.vars[root]
		}
	case *ast.IndexExpr:
		return lw.holds(st, e.X)
	case *ast.SliceExpr:
		return lw.holds(st, e.X)
	case *ast.StarExpr:
		return lw.holds(st, e.X)
	case *ast.TypeAssertExpr:
		return lw.holds(st, e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return heldNone
		}
		return lw.holds(st, e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return max(lw.holds(st, e.X), lw.holds(st, e.Y))
		}
	case *ast.CompositeLit:
		h := heldNone
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			h = max(h, lw.holds(st, elt))
		}
		return h
	case *ast.FuncLit:
		h := heldNone
		ast.Inspect(e.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := info.ObjectOf(id); o != nil {
					h = max(h, st.vars[o])
				}
			}
			return true
		})
		return h
	case *ast.CallExpr:
		return lw.holdsCall(st, e)
	}
	return heldNone
}

func (lw *lossWalk) holdsCall(st *lossNode, call *ast.CallExpr) held {
	h := heldNone
	for _, a := range call.Args {
		h = max(h, lw.holds(st, a))
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && lw.f.info.Selections[sel] != nil {
		if r := lw.holds(st, sel.X); r > heldNone {
			if sel.Sel.Name == "Error" || sel.Sel.Name == "String" || sel.Sel.Name == "Message" {
				r = heldText
			}
			h = max(h, r)
		}
	}
	if h == heldNone {
		return heldNone
	}
	if t := lw.f.info.TypeOf(call); t != nil {
		switch b, ok := t.Underlying().(*types.Basic); {
		case ok && b.Info()&types.IsString != 0:
			return heldText
		case ok:
			return heldNone
		}
	}
	switch fullName(calleeOf(lw.f.info, call)) {
	case "fmt.Errorf", "golang.org/x/xerrors.Errorf":
		return lw.holdsErrorf(st, call)
	case "errors.New", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
		return heldText
	}
	return h
}

// holdsErrorf reads the verbs of a format: only %w keeps the error.
func (lw *lossWalk) holdsErrorf(st *lossNode, call *ast.CallExpr) held {
	if len(call.Args) == 0 {
		return heldNone
	}
	tv := lw.f.info.Types[call.Args[0]]
	if tv.Value == nil || tv.Value.Kind() != constant.String || call.Ellipsis.IsValid() {
		return heldAll // not readable
	}
	h := heldNone
	verbs := formatVerbs(constant.StringVal(tv.Value))
	for i, a := range call.Args[1:] {
		got := lw.holds(st, a)
		if got == heldAll && (i >= len(verbs) || verbs[i] != 'w') {
			got = heldText
		}
		h = max(h, got)
	}
	return h
}

// formatVerbs lists the verbs of a format in the order of their arguments. A
// star takes an argument of its own. It is empty for a format with explicit
// indexes.
func formatVerbs(format string) (verbs []byte) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.*[", format[i]) >= 0; i++ {
			if format[i] == '[' {
				return nil
			}
			if format[i] == '*' {
				verbs = append(verbs, '*')
			}
		}
		if i < len(format) && format[i] != '%' {
			verbs = append(verbs, format[i])
		}
	}
	return verbs
}

// makesError says whether an expression makes a new error from text alone.
func (f *finder) makesError(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fullName(calleeOf(f.info, call)) {
	case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
	default:
		return false
	}
	for _, a := range call.Args {
		if isError(f.info.TypeOf(a)) {
			return false
		}
	}
	return true
}

// keepsText says whether the type of an error built from text has a method
// that gives the cause back, so that its maker may have kept it.
func (f *finder) keepsText(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return true
	}
	for _, name := range []string{"Unwrap", "Cause", "Is", "As"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, isFunc := obj.(*types.Func); isFunc && !types.IsInterface(t) {
				return true
			}
		}
	}
	return false
}

// verb finds the fmt.Errorf that shows the error by %v or %s where %w would
// keep it.
func (lw *lossWalk) verb(st *lossNode, e ast.Expr) (*ast.CallExpr, int) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || fullName(calleeOf(lw.f.info, call)) != "fmt.Errorf" || len(call.Args) == 0 {
		return nil, 0
	}
	if _, ok := ast.Unparen(call.Args[0]).(*ast.BasicLit); !ok {
		return nil, 0
	}
	tv := lw.f.info.Types[call.Args[0]]
	if tv.Value == nil {
		return nil, 0
	}
	verbs := formatVerbs(constant.StringVal(tv.Value))
	for i, a := range call.Args[1:] {
		if isError(lw.f.info.TypeOf(a)) && lw.holds(st, a) == heldAll && i < len(verbs) && (verbs[i] == 'v' || verbs[i] == 's') {
			return call, i + 1
		}
	}
	return nil, 0
}
