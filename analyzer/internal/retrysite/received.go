package retrysite

import (
	"go/ast"
	"go/types"
	"strings"
)

// takesNext says whether each round takes the next of what others send before it
// comes to the operation: a failure goes on with another message.
func (f *finder) takesNext(c *candidate) (found bool) {
	for n := range c.fail.back {
		inspectOwn(n, func(n ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && call != c.call && call.Pos() < c.call.Pos() && errorIndex(f.info, call) >= 0 {
				if callee := calleeOf(f.info, call); callee != nil {
					found = found || receives(callee.Name()) || takesMessage(callee.Name())
				}
			}
		})
	}
	return found
}

// takesItems says whether a loop goes on for as long as the operation has another
// item to give, which is asked for between the rounds:
//
//	for job, ok := queue.take(); ok; job, ok = queue.take() {
func (f *finder) takesItems(l *loop, c *candidate) bool {
	loop, ok := l.node.(*ast.ForStmt)
	if !ok || !isBool(f.info.TypeOf(c.call)) && !f.answersBoolLast(c.call) {
		return false
	}
	post, ok := loop.Post.(*ast.AssignStmt)
	if !ok || len(post.Rhs) != 1 {
		return false
	}
	call, ok := ast.Unparen(post.Rhs[0]).(*ast.CallExpr)
	if !ok || calleeOf(f.info, call) == nil || calleeOf(f.info, call) != calleeOf(f.info, c.call) {
		return false
	}
	more := varOf(f.info, post.Lhs[len(post.Lhs)-1])
	return more != nil && loop.Cond != nil && varOf(f.info, loop.Cond) == more
}

// answersBoolLast says whether the last of a call's results is a bool.
func (f *finder) answersBoolLast(call *ast.CallExpr) bool {
	t, ok := f.info.TypeOf(call).(*types.Tuple)
	return ok && t.Len() > 0 && isBool(t.At(t.Len()-1).Type())
}

// takesMessage says whether a function is named for giving the next of what others
// send: NextMsg, ReadMessage, FetchEvent.
func takesMessage(name string) bool {
	name = strings.ToLower(name)
	for _, verb := range []string{"next", "read", "fetch", "poll", "pop"} {
		what, ok := strings.CutPrefix(name, verb)
		if !ok {
			continue
		}
		for _, s := range []string{"msg", "message", "event", "packet", "frame"} {
			if strings.HasPrefix(what, s) {
				return true
			}
		}
	}
	return false
}
