package retrysite

import "go/ast"

// goesOnEnded says whether what a library runs hands on the error of its
// operation even where the context of that has ended: nothing in it asks the
// context, names one of its errors, or judges the error in a way that is not
// seen.
//
//	backoff.Retry(func() error {
//		return client.Send(ctx, msg)
//	}, backoff.NewExponentialBackOff())
func (f *finder) goesOnEnded(s *Site) bool {
	if s.Shape != ShapeRetry || s.Attempt == nil || s.Body == nil || s.InspectionUnknown || len(s.CancelChecks) > 0 {
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
