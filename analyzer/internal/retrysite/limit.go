package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A limit says whether one call of an operation is limited in time by
// something other than its caller's context.
type limit uint8

const (
	limitUnknown limit = iota
	limitNone          // known to be able to block for ever
	limited
)

// limitOf judges one call.
func (f *finder) limitOf(fn *Func, call *ast.CallExpr, depth int) (limit, token.Pos) {
	callee := calleeOf(f.info, call)
	if callee == nil {
		switch e := ast.Unparen(call.Fun).(type) {
		case *ast.FuncLit:
			return f.limitOfBody(f.lits[e], depth+1)
		case *ast.Ident:
			if v, ok := f.info.ObjectOf(e).(*types.Var); ok {
				if lit := f.literalOf(fn, v); lit != nil {
					return f.limitOfBody(lit, depth+1)
				}
			}
		}
		return limitUnknown, token.NoPos
	}
	if target := f.res.FuncOf(callee); target != nil {
		return f.limitOfBody(target, depth+1)
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := f.info.Selections[sel]; s != nil && len(s.Index()) > 1 {
			return limitUnknown, token.NoPos // whatever embeds it may limit it by its own means
		}
	}
	switch name := fullName(callee); name {
	case "net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm":
		return limitNone, call.Pos()
	case "(net/http.Client).Do", "(net/http.Client).Get", "(net/http.Client).Head", "(net/http.Client).Post", "(net/http.Client).PostForm":
		return f.clientLimit(fn, call), call.Pos()
	case "net.Dial", "net/rpc.Dial", "net/rpc.DialHTTP", "net/smtp.SendMail", "net/smtp.Dial", "(net/rpc.Client).Call",
		"(database/sql.DB).Ping", "(database/sql.DB).Exec", "(database/sql.DB).Query", "(database/sql.DB).Begin",
		"(database/sql.Tx).Exec", "(database/sql.Tx).Query", "(database/sql.Tx).Commit", "crypto/tls.Dial":
		return limitNone, call.Pos()
	case "net.DialTimeout", "crypto/tls.DialWithDialer":
		return limited, call.Pos()
	}
	if givesTimeout(callee) {
		return limited, call.Pos()
	}
	return limitUnknown, token.NoPos
}

// givesTimeout says whether a function is named for running something with a
// timeout, and is told how long that is: WithTimeout(ctx, limit, f).
func givesTimeout(callee *types.Func) bool {
	if !strings.Contains(strings.ToLower(callee.Name()), "timeout") {
		return false
	}
	for p := range callee.Signature().Params().Variables() {
		if isDuration(p.Type()) {
			return true
		}
	}
	return false
}

// clientLimit says whether the http.Client of a call has a Timeout.
func (f *finder) clientLimit(fn *Func, call *ast.CallExpr) limit {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return limitUnknown
	}
	v, ok := objectOf(f.info, sel.X).(*types.Var)
	if !ok {
		return literalLimit(f.info, sel.X)
	}
	if v.Pkg() != nil && v.Pkg().Path() == "net/http" && v.Name() == "DefaultClient" {
		return limitNone
	}
	if v.IsField() || isPackageLevel(v) || f.paramOf(fn, v) != nil {
		return limitUnknown
	}
	vals := f.valuesOf(fn, v)
	if len(vals) != 1 || vals[0].expr == nil || f.setsField(fn, v, "Timeout") {
		return limitUnknown
	}
	return literalLimit(f.info, vals[0].expr)
}

// literalLimit reads &http.Client{...}.
func literalLimit(info *types.Info, e ast.Expr) limit {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return limitUnknown
	}
	if t := info.TypeOf(lit); t == nil || t.String() != "net/http.Client" {
		return limitUnknown
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return limitUnknown
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "Timeout" {
			return limited
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "Transport" {
			return limitUnknown
		}
	}
	return limitNone
}

// setsField says whether a field of a local variable is assigned by name.
func (f *finder) setsField(fn *Func, v *types.Var, field string) (found bool) {
	d := fn
	for d.Outer != nil {
		d = d.Outer
	}
	ast.Inspect(d.Body(), func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok {
			for _, l := range as.Lhs {
				if r := refOf(f.info, l); r.root == v && strings.HasSuffix(r.path, "."+field) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// limitOfBody judges a function of the package: limited if it sets a timeout
// or deadline itself; without limit if each call in it that leaves the process
// is known to have none.
func (f *finder) limitOfBody(fn *Func, depth int) (limit, token.Pos) {
	if fn == nil || fn.Body() == nil || depth > maxDepth {
		return limitUnknown, token.NoPos
	}
	if pos := f.setsLimit(fn.Body()); pos.IsValid() {
		return limited, pos
	}
	verdict, at := limitUnknown, token.NoPos
	open := true
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !open {
			return open
		}
		if errorIndex(f.info, call) < 0 {
			return true
		}
		if r := f.reach(fn, call, depth); r != ReachRemote && r != ReachParam {
			return true
		}
		switch l, pos := f.limitOf(fn, call, depth); l {
		case limited:
			verdict, at, open = limited, pos, false
		case limitNone:
			verdict, at = limitNone, pos
		case limitUnknown:
			verdict, at, open = limitUnknown, token.NoPos, false
		}
		return true
	})
	return verdict, at
}

// setsLimit finds a call that limits the time of what follows it.
func (f *finder) setsLimit(n ast.Node) (pos token.Pos) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			callee := calleeOf(f.info, n)
			if callee == nil {
				return true
			}
			switch fullName(callee) {
			case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause", "net.DialTimeout", "time.AfterFunc":
				pos = n.Pos()
			}
			if name := callee.Name(); strings.HasPrefix(name, "Set") && (strings.HasSuffix(name, "Deadline") || strings.HasSuffix(name, "Timeout")) ||
				strings.Contains(name, "WithTimeout") || strings.Contains(name, "WithDeadline") {
				pos = n.Pos()
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && (strings.HasSuffix(id.Name, "Timeout") || id.Name == "Deadline") {
				pos = n.Pos()
			}
		}
		return !pos.IsValid()
	})
	return pos
}
