package retrysite

import (
	"go/ast"
	"go/types"
)

// toldItem says whether the loop goes through a list and writes the element at
// hand into a field of what the operation is given:
//
//	for _, subnet := range subnets {
//		input.SubnetID = subnet.ID
//		err = client.Create(ctx, input)
//
// What is made of it by a call that may fail counts as well:
//
//	cfg.Conn, err = dial(ctx, broker.Host)
func (t *targeter) toldItem(v *types.Var) (found bool) {
	loop, ok := t.l.node.(*ast.RangeStmt)
	if !ok || loop.Value == nil {
		return false
	}
	item := varOf(t.f.info, loop.Value)
	if item == nil || isDuration(item.Type()) || isInteger(item.Type()) {
		return false // how long to wait, or how often it was tried
	}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || as.Pos() > t.op.Pos() {
			return !found
		}
		for i, l := range as.Lhs {
			value := as.Rhs[min(i, len(as.Rhs)-1)] // one call gives what several take
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			found = found || ok && varOf(t.f.info, sel.X) == v && mentionsVar(t.f.info, value, item)
		}
		return !found
	})
	return found
}
