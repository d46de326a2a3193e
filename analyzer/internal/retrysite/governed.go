package retrysite

import (
	"go/ast"
	"go/token"
	"slices"
)

// setContext fills in the context and the limits that come with it.
func (f *finder) setContext(s *Site, l *loop, c *candidate) {
	ctx, bounded := f.contextOf(f.proper(s.Func, c.call))
	if bounded.IsValid() {
		if l != nil && l.node.Pos() <= bounded && bounded < l.node.End() {
			s.Time.PerAttempt, s.Time.PerAttemptPos = true, bounded
		} else {
			ctx.Bounded = true
			if !s.Time.Limited() {
				s.Time = TimeBound{Kind: BoundVar, How: TimeContext, Pos: bounded}
			}
		}
	}
	if lim, pos := f.limitOf(s.Func, c.call, 0); lim == limited && !s.Time.PerAttempt {
		s.Time.PerAttempt, s.Time.PerAttemptPos = true, pos
	} else if lim == limitNone {
		s.Op().Unlimited = true
	}
	ctx.Reachable, ctx.ReachableOrigin = f.reachable(s.Func, s.Pos())
	ctx.Detached = f.detached(s.Func, ctx)
	switch ctx.Origin {
	case ContextParam, ContextField, ContextRequest, ContextLibrary, ContextGlobal:
		if !s.Time.Limited() {
			s.Time.Kind, s.Time.How = BoundOther, TimeCaller
		}
	case ContextUnknown:
		if !s.Time.Limited() {
			s.Time.How = TimeUnfollow
		}
	}
	s.Context = ctx
}

// cancelChecks are the places among nodes where the end of a context is
// looked at.
func (f *finder) cancelChecks(fn *Func, nodes []ast.Node, waits []*Wait) (list []token.Pos) {
	for _, n := range nodes {
		inspectOwn(n, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				callee := calleeOf(f.info, n)
				if isContextErr(callee) {
					list = append(list, n.Pos())
				} else if callee != nil && callee.Name() == "Done" {
					if recv := callee.Signature().Recv(); recv != nil && isContext(recv.Type()) {
						list = append(list, n.Pos())
					}
				}
			case *ast.SelectorExpr:
				if o := f.info.ObjectOf(n.Sel); o != nil && o.Pkg() != nil && o.Pkg().Path() == "context" && (o.Name() == "Canceled" || o.Name() == "DeadlineExceeded") {
					list = append(list, n.Pos())
				}
			}
		})
	}
	for _, w := range waits {
		if w.Interruptible {
			list = append(list, w.Pos())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
