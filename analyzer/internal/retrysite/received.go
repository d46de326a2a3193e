package retrysite

import (
	"go/ast"
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
