package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A Nesting is a site whose operation retries by itself.
type Nesting struct {
	// Inner is the site inside.
	Inner *Site
	// Chain are the functions from the operation to the inner site's operation,
	// as messages call them.
	Chain []string
}

// nestings finds the sites of the package that are inside what another one of
// them retries.
func (f *finder) nestings() {
	bySite := make(map[*ast.FuncDecl][]*Site)
	byCall := make(map[*ast.CallExpr]*Site)
	for _, s := range f.res.Sites {
		if call, ok := s.Node.(*ast.CallExpr); ok {
			byCall[call] = s
		}
		// A site whose operation is the function that a caller hands in belongs
		// to the caller's: it shows as a wrapper.
		if d := s.Func.Declaration(); d != nil && s.Func.Decl != nil && !runsParam(s) {
			bySite[d] = append(bySite[d], s)
		}
	}
	for _, s := range f.res.Sites {
		n := &nester{f: f, outer: s, bySite: bySite, byCall: byCall, seen: make(map[*Func]bool)}
		for _, op := range s.Ops {
			if inner, chain := n.call(op.Call, 0); inner != nil {
				s.Nested = &Nesting{Inner: inner, Chain: append(chain, inner.Op().Name)}
				break
			}
		}
	}
}

// runsParam says whether one of a site's operations is a function that its
// caller hands in.
func runsParam(s *Site) bool {
	return slices.ContainsFunc(s.Ops, func(op *Operation) bool { return op.Param != nil })
}

type nester struct {
	f      *finder
	outer  *Site
	bySite map[*ast.FuncDecl][]*Site
	byCall map[*ast.CallExpr]*Site
	seen   map[*Func]bool
}

// call looks for a site in what a call runs.
func (n *nester) call(call *ast.CallExpr, depth int) (*Site, []string) {
	if ast.Node(call) == n.outer.Node {
		return nil, nil // the retrier is how the outer site repeats, and nothing inside of it
	}
	if s := n.byCall[call]; s != nil && s != n.outer {
		return s, []string{callName(call)}
	}
	target := n.f.res.FuncOf(calleeOf(n.f.info, call))
	if target == nil || target.Body() == nil || depth > 3 || n.seen[target] || errorIndex(n.f.info, call) < 0 {
		return nil, nil
	}
	n.seen[target] = true
	if target.Decl == n.outer.Func.Declaration() {
		return nil, nil // recursion
	}
	for _, s := range n.bySite[target.Decl] {
		if n.drives(s) {
			return s, []string{callName(call)}
		}
	}
	var inner *Site
	var chain []string
	inspectOwn(target.Body(), func(m ast.Node) {
		c, ok := m.(*ast.CallExpr)
		if !ok || inner != nil || errorIndex(n.f.info, c) < 0 || !n.returned(target, c) {
			return
		}
		if inner, chain = n.call(c, depth+1); inner != nil {
			chain = append([]string{callName(call)}, chain...)
		}
	})
	return inner, chain
}

// drives says whether the failure of an inner site leaves its function as an
// error.
func (n *nester) drives(s *Site) bool {
	if i, _ := n.f.errorResult(s.Func); i < 0 {
		return false
	}
	return s.Op().Reach == ReachRemote || s.Op().Reach == ReachParam
}

// returned says whether the error of a call may be what its function returns:
// it is returned at once, or kept in a variable that is returned or wrapped.
func (n *nester) returned(fn *Func, call *ast.CallExpr) (found bool) {
	info := n.f.info
	var errs []types.Object
	inspectOwn(fn.Body(), func(m ast.Node) {
		switch m := m.(type) {
		case *ast.AssignStmt:
			if len(m.Rhs) == 1 && ast.Unparen(m.Rhs[0]) == ast.Expr(call) {
				for _, l := range m.Lhs {
					if o := objectOf(info, l); o != nil && isError(o.Type()) {
						errs = append(errs, o)
					}
				}
			}
		case *ast.ReturnStmt:
			for _, r := range m.Results {
				if ast.Unparen(r) == ast.Expr(call) {
					found = true
				}
				ast.Inspect(r, func(x ast.Node) bool {
					if id, ok := x.(*ast.Ident); ok {
						for _, o := range errs {
							found = found || info.ObjectOf(id) == o
						}
					}
					return true
				})
			}
			if len(m.Results) == 0 && len(errs) > 0 {
				found = true
			}
		}
	})
	return found
}
