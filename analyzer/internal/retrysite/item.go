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
		if !ok || len(as.Lhs) != len(as.Rhs) || as.Pos() > t.op.Pos() {
			return !found
		}
		for i, l := range as.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			found = found || ok && varOf(t.f.info, sel.X) == v && mentionsVar(t.f.info, as.Rhs[i], item)
		}
		return !found
	})
	return found
}
