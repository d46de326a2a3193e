package retrysite

import (
	"go/ast"
	"go/types"
)

// searchedText finds the looks at the text of an operation's error in a loop that
// goes through a list of texts, where what is found leads out of that loop, or is
// kept in a variable by which the site goes on or leaves:
//
//	for _, text := range transient {
//		if strings.Contains(err.Error(), text) {
//			again = true
//		}
//	}
//	if !again {
//		return err
//	}
//
// In the graph such a look leads on to the next text, and from there to wherever
// the others lead.
func (f *finder) searchedText(s *Site) (out []*TextDecision) {
	if s.Body == nil || s.Kind != KindLoop {
		return nil
	}
	inspectOwn(s.Body, func(n ast.Node) {
		list, ok := n.(*ast.RangeStmt)
		if !ok || contains(list, s.Op().Call) {
			return
		}
		inspectOwn(list.Body, func(n ast.Node) {
			branch, ok := n.(*ast.IfStmt)
			if !ok || !leavesList(branch.Body) && !f.keepsAnswer(s, list, branch.Body) {
				return
			}
			for _, d := range f.textIn(s, s.Func, branch.Cond, DecidedInSite, 0) {
				if f.aboutOperation(s, d.Match) {
					out = append(out, d)
				}
			}
		})
	})
	return out
}

// aboutOperation says whether an expression names the error of an operation of
// the site.
func (f *finder) aboutOperation(s *Site, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || f.fromOperation(s, id)
		}
		return !found
	})
	return found
}

// leavesList says whether a block leads out of the loop around it by more than
// break.
func leavesList(b *ast.BlockStmt) (found bool) {
	inspectOwn(b, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil
		}
	})
	return found
}

// keepsAnswer says whether a block sets a bool that is declared outside of the
// list's loop, and that decides after it which way the site goes.
func (f *finder) keepsAnswer(s *Site, list *ast.RangeStmt, b *ast.BlockStmt) (found bool) {
	for _, stmt := range b.List {
		set, ok := stmt.(*ast.AssignStmt)
		if !ok || len(set.Lhs) != 1 {
			continue
		}
		v, ok := objectOf(f.info, set.Lhs[0]).(*types.Var)
		if !ok || !types.Identical(v.Type().Underlying(), types.Typ[types.Bool]) || list.Pos() <= v.Pos() && v.Pos() < list.End() {
			continue
		}
		inspectOwn(s.Body, func(n ast.Node) {
			branch, ok := n.(*ast.IfStmt)
			if !ok || branch.Pos() < list.End() || !mentionsVar(f.info, branch.Cond, v) {
				return
			}
			inspectOwn(branch, func(n ast.Node) {
				switch n.(type) {
				case *ast.ReturnStmt, *ast.BranchStmt:
					found = true
				}
			})
		})
	}
	return found
}
