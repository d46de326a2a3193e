package retrylib

import "go/ast"

// A Call is what is known of one call of a retry library that runs the
// caller's closure.
type Call struct {
	Entry *Entry
	Node  *ast.CallExpr

	// Closure is the function as it is written at the call, and Func its
	// source: a *ast.FuncLit, a *ast.FuncDecl of the package, or nil where it
	// could not be followed.
	Closure ast.Expr
	Func    ast.Node

	// Policy is what the library's defaults and the call's options say
	// together.
	Policy Policy
}

// Resolve says what a call means if it is one of a retry library that runs the
// caller's closure, and ok is false if it is not. A single attempt (a library
// that was told not to retry) is not a retry either.
func (s *Scope) Resolve(call *ast.CallExpr) (c Call, ok bool) {
	entry := Lookup(Callee(s.info, call))
	if entry == nil || entry.Kind != KindClosure {
		return Call{}, false
	}
	c = Call{Entry: entry, Node: call, Policy: s.PolicyOf(call)}
	if c.Policy.Attempts.State == StateConst && c.Policy.Attempts.N == 1 {
		return Call{}, false
	}
	if entry.Closure >= 0 {
		if entry.Closure >= len(call.Args) {
			return Call{}, false
		}
		c.Closure = call.Args[entry.Closure]
	} else {
		c.Closure = s.closureField(entry, call)
	}
	c.Func = s.Closure(c.Closure)
	return c, true
}

// PolicyOf is the policy that an expression carries or that a call will
// follow: a backoff, a retrier, a client, or a call of one. Its zero value
// where nothing is known.
func (s *Scope) PolicyOf(e ast.Expr) Policy {
	s.load()
	return evaluator{Scope: s}.policy(e)
}

// closureField is the closure of a library that takes it in a struct.
func (s *Scope) closureField(entry *Entry, call *ast.CallExpr) ast.Expr {
	_, recv := funcRef(s.info, call.Fun)
	for _, e := range entry.effects {
		if e.field != "func" {
			continue
		}
		holder := frame{args: call.Args, recv: recv}.arg(e.value)
		for range maxDepth {
			switch x := ast.Unparen(holder).(type) {
			case *ast.UnaryExpr:
				holder = x.X
				continue
			case *ast.Ident:
				if v := variable(s.info, x); v != nil {
					if only := s.single(v); only != nil {
						holder = only
						continue
					}
				}
			case *ast.CompositeLit:
				for _, elt := range x.Elts {
					if kv, ok := elt.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok && key.Name == e.value.field {
							return kv.Value
						}
					}
				}
			}
			break
		}
	}
	return nil
}
