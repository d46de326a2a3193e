package retrysite

import (
	"go/ast"
	"go/types"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// libraryScope is the package as retrylib follows values through it, nil where
// no retry library is imported.
func (f *finder) libraryScope() *retrylib.Scope {
	if f.libs == nil && retrylib.Imports(f.pass.Pkg) {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
	}
	return f.libs
}

// libraryWait reads a call as the pause that a retry library makes for a loop
// of the caller's: a method of its iterator, or a strategy held in a variable.
// It answers nil if the call is neither.
func (f *finder) libraryWait(call *ast.CallExpr) *Wait {
	scope := f.libraryScope()
	if scope == nil {
		return nil
	}
	w := &Wait{How: WaitHelper, Node: call, Helper: calleeOf(f.info, call)}
	var p retrylib.Policy
	if w.Helper != nil {
		if e := retrylib.Lookup(w.Helper); e == nil || e.Kind != retrylib.KindPause {
			return nil
		}
		p = scope.PolicyOf(call)
		// Silence where it is not known.
		w.Interruptible = p.Interruptible() != retrylib.No
	} else {
		if v, ok := objectOf(f.info, call.Fun).(*types.Var); !ok || v.IsField() {
			return nil
		}
		// A func value that a library made and that sleeps.
		if p = scope.PolicyOf(call.Fun); p.Interruptible() != retrylib.No || p.Delay == retrylib.DelayNone {
			return nil
		}
	}
	w.Duration, w.Jittered = p.Base.Expr, truth(p.Jitter)
	switch p.Delay {
	case retrylib.DelayConstant:
		w.Grows = No
	case retrylib.DelayGrowing:
		w.Grows = Yes
	}
	switch p.Cap.State {
	case retrylib.StateNone:
		w.Capped = No
	case retrylib.StateConst, retrylib.StateGiven:
		w.Capped = Yes
	}
	return w
}
