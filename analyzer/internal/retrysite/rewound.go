package retrysite

import (
	"go/ast"
	"go/types"
)

// missesRewind says whether a way leads from a failure back to the operation
// past every statement by which the loop takes a body back to its beginning:
//
//	if err != nil {
//		continue // spent
//	}
//	if resp.StatusCode == 503 {
//		body.Seek(0, io.SeekStart)
//		continue
//	}
//
// It is false where anything but such a statement may do so.
func (f *finder) missesRewind(s *Site, region ast.Node, v *types.Var) bool {
	rewinds, ok := f.rewinds(s.Func, region, v)
	if !ok || len(s.walks) == 0 {
		return false
	}
	for _, w := range s.walks {
		if pastAll(newPaths(w), rewinds) {
			return true
		}
	}
	return false
}

// rewinds are the statements of a region that take v back to its beginning or
// give it a new body; not ok if it is used in any other way than being sent.
func (f *finder) rewinds(fn *Func, region ast.Node, v *types.Var) (stmts []ast.Node, ok bool) {
	ok = true
	known := make(map[ast.Node]bool)
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.ExprStmt:
			if region.Pos() <= n.Pos() && n.End() <= region.End() && f.rewindsBy(n, v, known) {
				stmts = append(stmts, n)
			}
		case *ast.SelectorExpr:
			if varOf(f.info, n.X) != v || known[n] {
				return
			}
			switch n.Sel.Name {
			case "Header", "URL", "Context", "Method", "Host", "Close", "Len", "WithContext":
			default:
				ok = false
			}
		case *ast.TypeAssertExpr:
			ok = ok && varOf(f.info, n.X) != v
		case *ast.IfStmt:
			ok = ok && !f.onlyWithout(n, v)
		}
	})
	return stmts, ok && len(stmts) > 0
}

// rewindsBy says whether a statement consists of such an act, and notes what it
// uses of v.
func (f *finder) rewindsBy(s ast.Node, v *types.Var, known map[ast.Node]bool) (found bool) {
	request := isRequest(v.Type())
	inspectOwn(s, func(n ast.Node) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || varOf(f.info, sel.X) != v {
			return
		}
		switch name := sel.Sel.Name; {
		case request && (name == "Body" || name == "GetBody"), !request && (name == "Seek" || name == "Reset"):
			known[sel], found = true, true
		}
	})
	return found
}

// pastAll says whether a way leads back to the operation without one of some
// statements. Where something other than the failure decides whether it comes by
// one, it is taken to do so: a counter, a look at what there is to rewind.
func pastAll(p *paths, stmts []ast.Node) bool {
	w := p.w
	at := w.g.at[w.op]
	passes := func(n *pathNode) bool {
		for i := n.from; i < len(n.block.Nodes); i++ {
			if n.repeat && n.block == at.block && i >= at.index {
				return false
			}
			for _, s := range stmts {
				if contains(n.block.Nodes[i], s) || contains(s, n.block.Nodes[i]) {
					return true
				}
			}
		}
		return false
	}
	reaches := make(map[*pathNode]bool) // one of them, before the operation
	var mark []*pathNode
	for _, n := range w.nodes {
		if passes(n) {
			mark = append(mark, n)
		}
	}
	for len(mark) > 0 {
		n := mark[len(mark)-1]
		mark = mark[:len(mark)-1]
		if !reaches[n] {
			reaches[n] = true
			for _, pred := range n.preds {
				if !pred.repeat || pred == w.nodes[0] {
					mark = append(mark, pred)
				}
			}
		}
	}
	seen := make(map[*pathNode]bool)
	work := []*pathNode{w.nodes[0]}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] || n != w.nodes[0] && passes(n) {
			continue
		}
		seen[n] = true
		if n.repeat && n != w.nodes[0] {
			return true
		}
		for _, next := range p.succs[n] {
			if n.condition() != nil && !n.outcome && reaches[n] && !reaches[next] {
				continue
			}
			work = append(work, next)
		}
	}
	return false
}
