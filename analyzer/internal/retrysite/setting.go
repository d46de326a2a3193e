package retrysite

import (
	"go/ast"
	"go/types"
)

// isSetting says whether an expression is the number that a flag, the environment
// or a configuration says.
func (f *finder) isSetting(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr: // var n = flag.Int("n", 3, "")
		v := varOf(f.info, e.X)
		return v != nil && f.isSetting(f.initial(v))
	case *ast.CallExpr:
		if tv := f.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return f.isSetting(e.Args[0])
		}
		callee := calleeOf(f.info, e)
		if callee == nil || callee.Pkg() == nil {
			return false
		}
		switch callee.Name() {
		case "Int", "Int32", "Int64", "Uint", "Uint32", "Uint64", "GetInt", "GetInt32", "GetInt64", "GetUint", "GetUint32", "GetUint64":
			switch callee.Pkg().Name() {
			case "flag", "pflag", "cli", "viper", "koanf":
				return true
			}
		case "Atoi", "ParseInt", "ParseUint":
			return callee.Pkg().Path() == "strconv" && f.readsEnvironment(e)
		}
	}
	return false
}

// initial is what a variable of the package, or of one function, begins with; nil
// if it is not known.
func (f *finder) initial(v *types.Var) ast.Expr {
	for _, file := range f.pass.Files {
		if v.Pos() < file.FileStart || v.Pos() >= file.FileEnd {
			continue
		}
		var found ast.Expr
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if f.info.Defs[id] == types.Object(v) && len(n.Values) == len(n.Names) {
						found = n.Values[i]
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && f.info.Defs[id] == types.Object(v) && len(n.Rhs) == len(n.Lhs) {
						found = n.Rhs[i]
					}
				}
			}
			return found == nil
		})
		return found
	}
	return nil
}

// readsEnvironment says whether a call is handed a variable of the environment:
// strconv.Atoi(os.Getenv("TRIES")).
func (f *finder) readsEnvironment(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	get, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok {
		v := varOf(f.info, call.Args[0])
		if v == nil {
			return false
		}
		get, ok = f.initial(v).(*ast.CallExpr)
	}
	return ok && fullName(calleeOf(f.info, get)) == "os.Getenv"
}
