package retrysite

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// isError says whether t is the error interface or an interface that extends
// it.
func isError(t types.Type) bool {
	if t == nil {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0 && types.Implements(i, errorType)
}

// implementsError says whether t or *t is an error.
func implementsError(t types.Type) bool {
	return t != nil && (types.Implements(t, errorType) || types.Implements(types.NewPointer(t), errorType))
}

// errorIndex is the index of the error among the results of a call, -1 if it
// has none. An error comes last; a pointer to an error type counts.
func errorIndex(info *types.Info, call *ast.CallExpr) int {
	t := info.TypeOf(call)
	if t == nil {
		return -1
	}
	if tuple, ok := t.(*types.Tuple); ok {
		n := tuple.Len()
		if n > 0 && resultIsError(tuple.At(n-1).Type()) {
			return n - 1
		}
		for i := range n {
			if isError(tuple.At(i).Type()) {
				return i
			}
		}
		return -1
	}
	if resultIsError(t) {
		return 0
	}
	return -1
}

func resultIsError(t types.Type) bool {
	if isError(t) {
		return true
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return isError(s.Elem())
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return false
	}
	name := strings.ToLower(n.Obj().Name())
	if types.Implements(t, errorType) {
		return strings.Contains(name, "err")
	}
	// A struct of the name tells of a failure as well, though it has no text:
	// (*Item, *models.Error).
	_, isStruct := n.Underlying().(*types.Struct)
	return isStruct && (strings.HasSuffix(name, "error") || strings.HasSuffix(name, "err"))
}

// isContext says whether t is context.Context.
func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

func isContextErr(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	if fn.Name() == "Cause" && fn.Pkg() != nil && fn.Pkg().Path() == "context" {
		return true
	}
	recv := fn.Signature().Recv()
	return fn.Name() == "Err" && recv != nil && isContext(recv.Type())
}

// fullName is "pkg/path.Func" or "(pkg/path.Type).Method" without the star of
// a pointer receiver; "" for nil.
func fullName(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg().Path() + "." + fn.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		return "(" + n.Obj().Pkg().Path() + "." + n.Obj().Name() + ")." + fn.Name()
	}
	return "(?)." + fn.Name()
}

func calleeOf(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// mentionsVar says whether an expression uses a variable.
func mentionsVar(info *types.Info, e ast.Expr, v *types.Var) (found bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == types.Object(v) {
			found = true
		}
		return !found
	})
	return found
}
