package retrysite

import (
	"go/ast"
	"go/token"
)

// goesOnEnded says whether what a library runs hands on the error of its
// operation even where the context of that has ended: nothing in it asks the
// context, names one of its errors, or judges the error in a way that is not
// seen.
//
//	backoff.Retry(func() error {
//		return client.Send(ctx, msg)
//	}, backoff.NewExponentialBackOff())
func (f *finder) goesOnEnded(s *Site) bool {
	if s.Shape != ShapeRetry || s.Attempt == nil || s.Body == nil || s.InspectionUnknown && !f.handsOn(s) || len(s.CancelChecks) > 0 {
		return false
	}
	if op := s.Op(); op.Call == s.Node || op.ContextArg == nil && s.Context.Origin != ContextRequest {
		return false
	}
	for _, in := range s.Inspections {
		switch in.How {
		case InspectIs, InspectAs, InspectType, InspectSentinel, InspectStatus, InspectPermanent:
			if v := in.Sentinel; v != nil && v.Pkg() != nil && v.Pkg().Path() == "context" {
				return false
			}
		default:
			return false // it may well know the context's error
		}
	}
	asks := false
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			callee := calleeOf(f.info, n)
			asks = asks || isContextErr(callee) || callee != nil && callee.Name() == "Done"
		case *ast.SelectorExpr:
			o := f.info.Uses[n.Sel]
			asks = asks || o != nil && o.Pkg() != nil && o.Pkg().Path() == "context" && isError(o.Type())
		}
		return !asks
	})
	return !asks
}

// handsOn says whether what a library runs returns the operation's error as it
// is, before anything else is asked, and nothing in the operation marks it:
//
//	resp, err := c.send(ctx, msg)
//	if err != nil {
//		return err
//	}
func (f *finder) handsOn(s *Site) bool {
	op := s.Op()
	if op.Err == nil || op.Callee == nil || s.Library == nil {
		return false
	}
	look := &closureLook{f: f, a: new(attempt), path: s.Library.Path, seen: make(map[*Func]bool)}
	look.call(s.Attempt, op.Call, 1)
	if look.unknown || len(look.a.inspections) > 0 {
		return false
	}
	for i, stmt := range s.Body.List[:len(s.Body.List)-1] {
		as, ok := stmt.(*ast.AssignStmt)
		if !ok || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != ast.Expr(op.Call) {
			continue
		}
		branch, ok := s.Body.List[i+1].(*ast.IfStmt)
		if !ok || branch.Init != nil || len(branch.Body.List) != 1 {
			return false
		}
		cond, ok := branch.Cond.(*ast.BinaryExpr)
		ret, returns := branch.Body.List[0].(*ast.ReturnStmt)
		return ok && returns && cond.Op == token.NEQ && varOf(f.info, cond.X) == op.Err && f.info.Types[cond.Y].IsNil() &&
			len(ret.Results) > 0 && varOf(f.info, ret.Results[len(ret.Results)-1]) == op.Err
	}
	return false
}
