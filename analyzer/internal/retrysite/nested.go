package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A Nesting is a site whose operation retries by itself.
type Nesting struct {
	// Inner is the site inside; nil if it is in another package.
	Inner *Site
	// Attempts is the bound of the site inside.
	Attempts Attempts
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
		if s.Elsewhere {
			continue // what is retried inside is retried for another target each time
		}
		n := &nester{f: f, outer: s, bySite: bySite, byCall: byCall, seen: make(map[*Func]bool)}
		for _, op := range s.Ops {
			n.timed = s.Time.PerAttempt || f.timedAttempt(s, op)
			if in := n.call(op.Call, 0); in != nil {
				s.Nested = in
				break
			}
		}
		if s.Nested == nil && s.Attempt != nil {
			s.Nested = n.within()
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
	timed  bool // each attempt is given a time of its own
}

// timedAttempt says whether an operation has a context that was given a limit
// within the attempt.
func (f *finder) timedAttempt(s *Site, op *Operation) bool {
	fn := s.Func
	if s.Attempt != nil {
		fn = s.Attempt
	}
	_, bounded := f.contextOf(fn, op.Call)
	return bounded.IsValid() && s.Contains(bounded)
}

// call looks for a site in what a call runs.
func (n *nester) call(call *ast.CallExpr, depth int) *Nesting {
	if ast.Node(call) == n.outer.Node {
		return nil // the retrier is how the outer site repeats, and nothing inside of it
	}
	if s := n.byCall[call]; s != nil && s != n.outer {
		return nestingOf(s, call)
	}
	if errorIndex(n.f.info, call) < 0 {
		return nil
	}
	callee := calleeOf(n.f.info, call)
	in := n.f.inside(callee)
	if in == nil {
		in = n.f.clientInside(call)
	}
	if in != nil && in.Attempts == 0 && !in.Counted && n.timed {
		in = nil // each attempt is given a time, which the function inside spends as it likes
	}
	if in != nil && n.outer.broad() {
		return &Nesting{Attempts: in.bound(), Chain: []string{callName(call), in.Op}}
	}
	target := n.f.res.FuncOf(callee)
	if target == nil || target.Body() == nil || depth > 3 || n.seen[target] {
		return nil
	}
	n.seen[target] = true
	if target.Decl == n.outer.Func.Declaration() {
		return nil // recursion
	}
	for _, s := range n.bySite[target.Decl] {
		if n.drives(s) {
			return nestingOf(s, call)
		}
	}
	var found *Nesting
	inspectOwn(target.Body(), func(m ast.Node) {
		c, ok := m.(*ast.CallExpr)
		if !ok || found != nil || errorIndex(n.f.info, c) < 0 || !n.returned(target, c) || depth > 0 && n.leftOut(target, c) {
			return
		}
		if found = n.call(c, depth+1); found != nil {
			found.Chain = append([]string{callName(call)}, found.Chain...)
		}
	})
	return found
}

// within looks for a loop that retries in the function itself that a library runs
// once per attempt.
func (n *nester) within() *Nesting {
	for _, s := range n.f.res.Sites {
		if s.Func == n.outer.Attempt && s.Kind == KindLoop && !runsParam(s) && n.outer.broad() && n.drives(s) {
			return &Nesting{Inner: s, Attempts: s.Attempts, Chain: []string{s.Op().Name}}
		}
	}
	return nil
}

// leftOut says whether a function has returned without an error before a call,
// for some of those on whom or with which it is called: further down a chain
// nobody knows which of them they are.
func (n *nester) leftOut(fn *Func, call *ast.CallExpr) (found bool) {
	for _, stmt := range fn.Body().List {
		guard, ok := stmt.(*ast.IfStmt)
		if !ok || guard.End() > call.Pos() {
			continue
		}
		ret, ok := lastOf(guard.Body.List).(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 || !n.f.info.Types[ret.Results[len(ret.Results)-1]].IsNil() {
			continue
		}
		ast.Inspect(guard.Cond, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok {
				v, ok := n.f.info.ObjectOf(id).(*types.Var)
				found = found || ok && !v.IsField() && v.Pos() < fn.Body().Pos() && v.Pos() >= fn.Type().Pos()
			}
			return !found
		})
	}
	return found
}

// nestingOf is the nesting of a site in what a call runs.
func nestingOf(inner *Site, call *ast.CallExpr) *Nesting {
	return &Nesting{Inner: inner, Attempts: inner.Attempts, Chain: []string{callName(call), inner.Op().Name}}
}

// broad says whether a site retries failures of any kind, rather than the one
// that it asks for: a lost race on the outside and a broken connection on the
// inside do not multiply.
func (s *Site) broad() bool {
	if s.Kind == KindLoop && !s.Blind && !s.Wide {
		return false
	}
	return !slices.ContainsFunc(s.Inspections, func(in Inspection) bool {
		return in.How == InspectIs || in.How == InspectAs || in.How == InspectSentinel || in.How == InspectText || in.How == InspectLibrary && s.Kind == KindLibrary && in.Expr == s.Node
	})
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
