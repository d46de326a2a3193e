package retrysite

import (
	"go/ast"
	"go/types"
)

// A StoredDelay is a growing wait that is computed in one place and kept in a
// field for whoever makes the next attempt.
type StoredDelay struct {
	// Name is the field as source text: "batch.retryDelay".
	Name   string
	Node   *ast.AssignStmt
	Growth Growth
}

// delayField matches names of fields that hold the wait before a retry.
var delayField = Matcher(`(?i)(retry|backoff|reconnect)_?(delay|interval|wait|after|in|time|duration|ms|millis)?$|(delay|wait)_?before_?retry|next_?(retry|backoff)`)

// attemptField matches names of variables that count attempts.
var attemptField = Matcher(`(?i)attempts?$|^(retries|tries|retry_?count|num_?retries|fail(ure)?s?_?count)$`)

// storedDelays finds the fields that get a growing wait without jitter.
func (f *finder) storedDelays() {
	for _, fn := range f.decls {
		if fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] {
			continue
		}
		var stores []*ast.AssignStmt
		for _, as := range fn.stores {
			if v := varOf(f.info, as.Lhs[0]); v != nil && v.IsField() && isInteger(v.Type()) {
				stores = append(stores, as)
			}
		}
		if len(stores) == 0 {
			continue
		}
		var counters []*types.Var
		inspectOwn(fn.Body(), func(n ast.Node) {
			switch n := n.(type) {
			case *ast.SelectorExpr, *ast.Ident:
				if v := varOf(f.info, n.(ast.Expr)); v != nil && isInteger(v.Type()) && attemptField(v.Name()) {
					counters = append(counters, v)
				}
			}
		})
		for _, st := range stores {
			s := f.newGrowthScan(fn, fn.Body(), counters...)
			s.expr(st.Rhs[0])
			g := s.result()
			if g.Kind == GrowthExponential && g.Jittered == No && !s.counters[varOf(f.info, st.Lhs[0])] {
				f.res.Stored = append(f.res.Stored, &StoredDelay{Name: types.ExprString(st.Lhs[0]), Node: st, Growth: g})
			}
		}
	}
}
