package retrysite

import "go/ast"

// mended says whether every way from a failure back to the operation comes by
// one and the same call that leaves the process and can fail itself, with the
// loop being left if it does: what it does away with may be what was in the
// operation's way, as in
//
//	if err = add(id); err == nil || again {
//		return err
//	}
//	if err = remove(id); err != nil {
//		return err
//	}
func (f *finder) mended(s *Site, g *graph, c *candidate) bool {
	if !c.fail.repeats {
		return false
	}
	for n := range c.fail.back {
		found := false
		inspectOwn(n, func(m ast.Node) {
			call, ok := m.(*ast.CallExpr)
			ei := -1
			if ok {
				ei = errorIndex(f.info, call)
			}
			if ei < 0 || call == c.call || found || f.handlesError(calleeOf(f.info, call), call) || f.reach(g.fn, call, 0) != ReachRemote {
				return
			}
			if _, known := g.at[call]; !known || discarded(g, call, ei) {
				return
			}
			w := &walk{info: f.info, g: g, l: c.fail.l, op: call, err: ei, fail: true}
			w.run()
			found = !w.gaveUp && !w.repeats && w.exits
		})
		if found && c.fail.comesBy(n) {
			return true
		}
	}
	return false
}
