package retrysite

import (
	"go/ast"
	"go/token"
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
		var counters []*types.Var
		var stores []*ast.AssignStmt
		inspectOwn(fn.Body(), func(n ast.Node) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && n.Tok == token.ASSIGN && len(n.Lhs) == 1 && len(n.Rhs) == 1 && delayField(sel.Sel.Name) {
					if v := varOf(f.info, sel); v != nil && v.IsField() && isInteger(v.Type()) {
						stores = append(stores, n)
					}
				}
			case *ast.SelectorExpr:
				if v := varOf(f.info, n); v != nil && isInteger(v.Type()) && attemptField(v.Name()) {
					counters = append(counters, v)
				}
			case *ast.Ident:
				if v := varOf(f.info, n); v != nil && isInteger(v.Type()) && attemptField(v.Name()) {
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
