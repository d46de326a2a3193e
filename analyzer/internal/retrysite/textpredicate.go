package retrysite

import (
	"go/ast"
	"go/types"
)

// predicateText finds the looks at an error's text in the functions that a call of
// a retry library is given to say which failures are worth another attempt:
//
//	retry.RetryIf(func(err error) bool { return strings.Contains(err.Error(), "timeout") })
func (f *finder) predicateText(s *Site) (out []*TextDecision) {
	call, ok := s.Node.(*ast.CallExpr)
	if !ok || s.Kind != KindLibrary {
		return nil
	}
	for _, arg := range call.Args {
		if s.Library != nil && arg == s.Library.Closure {
			continue
		}
		ast.Inspect(arg, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || !judgesError(f.info.TypeOf(e)) {
				return true
			}
			if fn := f.declaredOrLiteral(e); fn != nil && fn.Body() != nil {
				inspectOwn(fn.Body(), func(n ast.Node) {
					for _, c := range decisive(n) {
						out = append(out, f.textIn(s, fn, c, DecidedForSite, 1)...)
					}
				})
			}
			return false
		})
	}
	return out
}

// declaredOrLiteral is the function of the package that an expression is: a
// literal, or the name of one that is declared; nil for any other.
func (f *finder) declaredOrLiteral(e ast.Expr) *Func {
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return f.lits[lit]
	}
	fn, _ := objectOf(f.info, e).(*types.Func)
	return f.res.FuncOf(fn)
}

// judgesError says whether a type is that of a function which is told an error
// and says yes or no.
func judgesError(t types.Type) bool {
	if t == nil {
		return false
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !isError(sig.Params().At(0).Type()) {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}
