package retrysite

import "go/ast"

// keptBound is the bound of a loop that asks a flag whether to go on, which its
// post statement sets by a comparison:
//
//	for more := true; more; more = attempts < max {
func (f *finder) keptBound(l *loop, counters map[ref]counter) Attempts {
	loop, ok := l.node.(*ast.ForStmt)
	if !ok {
		return Attempts{}
	}
	if b, ok := ast.Unparen(f.keptAnswer(loop, loop.Cond)).(*ast.BinaryExpr); ok {
		if a, ok := f.counterBound(l, loop.Cond, b, counters); ok {
			a.MayBeZero = false
			return a
		}
	}
	return Attempts{}
}

// keptAnswer is what the post statement of a loop gives the flag that cond asks;
// cond itself where it asks no such flag.
func (f *finder) keptAnswer(loop *ast.ForStmt, cond ast.Expr) ast.Expr {
	post, ok := loop.Post.(*ast.AssignStmt)
	if ok && cond != nil && len(post.Lhs) == 1 && len(post.Rhs) == 1 && varOf(f.info, cond) != nil && varOf(f.info, post.Lhs[0]) == varOf(f.info, cond) {
		return post.Rhs[0]
	}
	return cond
}
