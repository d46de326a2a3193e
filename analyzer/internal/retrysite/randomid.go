package retrysite

import (
	"go/ast"
	"go/types"
	"strings"
)

// randomText says whether a call writes bytes as text that were drawn at random
// somewhere in body, which makes an id like any other:
//
//	b := make([]byte, 16)
//	rand.Read(b)
//	return hex.EncodeToString(b)
func (f *finder) randomText(body ast.Node, call *ast.CallExpr) bool {
	if tv := f.info.Types[call.Fun]; tv.IsType() {
		if !isText(tv.Type) {
			return false
		}
	} else {
		callee := calleeOf(f.info, call)
		if callee == nil {
			return false
		}
		switch path := pathOf(callee); {
		case strings.HasPrefix(path, "encoding/") && strings.HasPrefix(callee.Name(), "EncodeToString"):
		case path == "fmt" && strings.HasPrefix(callee.Name(), "Sprint"):
		default:
			return false
		}
	}
	for _, a := range call.Args {
		if v, ok := refOf(f.info, bytesIn(a)).root.(*types.Var); ok && isBytes(v.Type()) && f.drawn(body, v) {
			return true
		}
	}
	return false
}

// bytesIn is what a slice expression is a part of.
func bytesIn(e ast.Expr) ast.Expr {
	for {
		s, ok := ast.Unparen(e).(*ast.SliceExpr)
		if !ok {
			return e
		}
		e = s.X
	}
}

func isBytes(t types.Type) bool {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	default:
		return false
	}
	b, ok := elem.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
}

// drawn says whether the bytes in a variable are drawn at random within body.
func (f *finder) drawn(body ast.Node, v *types.Var) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch name := fullName(calleeOf(f.info, n)); {
			case name == "io.ReadFull" && len(n.Args) == 2:
				found = found || isRandomReader(f.info, n.Args[0]) && mentionsVar(f.info, n.Args[1], v)
			case strings.HasSuffix(name, ".Read") && randomPackage(calleeOf(f.info, n)) && len(n.Args) == 1:
				found = found || mentionsVar(f.info, n.Args[0], v)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				at, ok := ast.Unparen(l).(*ast.IndexExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && varOf(f.info, at.X) == v {
					found = found || f.drawsNumber(n.Rhs[i])
				}
			}
		}
		return !found
	})
	return found
}

// drawsNumber says whether an expression holds a call of one of the packages for
// random numbers.
func (f *finder) drawsNumber(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && randomPackage(calleeOf(f.info, call))
		return !found
	})
	return found
}

func randomPackage(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch pathOf(fn) {
	case "crypto/rand", "math/rand", "math/rand/v2":
		return true
	}
	return false
}

func isRandomReader(info *types.Info, e ast.Expr) bool {
	v, ok := objectOf(info, e).(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "crypto/rand" && v.Name() == "Reader"
}

// numbersAnew says whether a call gives a number or a text that is another one
// each time: what the clock shows, or a random number. That makes a key only
// where it is used for one.
func (f *finder) numbersAnew(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if callee == nil {
		return false
	}
	switch pathOf(callee) {
	case "math/rand", "math/rand/v2":
		return strings.Contains(callee.Name(), "Int")
	case "time":
		switch callee.Name() {
		case "Unix", "UnixMilli", "UnixMicro", "UnixNano", "Format", "String":
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return false
			}
			now, ok := ast.Unparen(sel.X).(*ast.CallExpr)
			return ok && fullName(calleeOf(f.info, now)) == "time.Now"
		}
	}
	return false
}
