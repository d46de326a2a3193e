package migrate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
)

const otelretryPath = "github.com/retrykit/retrykit/otelretry"

// rewrite is the fix: the loop becomes a call of an operation, the operation is
// declared below the function, and otelretry is imported. It is nil where a
// name that the fix needs means something else already.
func (l *loop) rewrite(pass *analysis.Pass, taken map[string]bool) *analysis.SuggestedFix {
	file := fileOf(pass, l.fn)
	if file == nil || len(file.Imports) == 0 || clashes(pass, file, l.stmt.Pos()) {
		return nil
	}
	name := operationName(l.fn)
	if taken[name] || pass.Pkg.Scope().Lookup(name) != nil || pass.TypesInfo.Scopes[file].Lookup(name) != nil {
		return nil
	}
	dead := l.unused(pass)
	if dead == nil {
		return nil
	}
	qualify := func(p *types.Package) string {
		if p == pass.Pkg {
			return ""
		}
		return importName(file, p)
	}
	call := printed(pass, l.call)
	var body string
	if l.value == nil {
		body = fmt.Sprintf("return %s.Run(%s, func(%[2]s context.Context) error {\n\t\treturn otelretry.Retryable(%[3]s)\n\t})",
			name, l.context.Name, call)
	} else {
		body = fmt.Sprintf("return otelretry.Do(%s, %s, func(%[1]s context.Context) (%[3]s, error) {\n\t\tvalue, err := %[4]s\n\t\treturn value, otelretry.Retryable(err)\n\t})",
			l.context.Name, name, types.TypeString(l.value, qualify), call)
	}
	if !imports(file, "context") {
		return nil
	}
	taken[name] = true
	edits := append(dead, analysis.TextEdit{Pos: l.stmt.Pos(), End: l.final.End(), NewText: []byte(body)},
		analysis.TextEdit{Pos: l.fn.End(), End: l.fn.End(), NewText: []byte(l.declaration(pass, name))})
	if !imports(file, otelretryPath) {
		last := file.Imports[len(file.Imports)-1]
		text := fmt.Sprintf("\n\n\t%q", otelretryPath)
		if decl := importDecl(file, last); decl == nil || !decl.Lparen.IsValid() {
			text = fmt.Sprintf("\nimport %q", otelretryPath)
		}
		edits = append(edits, analysis.TextEdit{Pos: last.End(), End: last.End(), NewText: []byte(text)})
	}
	return &analysis.SuggestedFix{Message: "retry by an otelretry operation with the same attempts and the same wait", TextEdits: edits}
}

// declaration is the operation. It is made once, at start-up, so that its
// telemetry and limits are those of all requests.
func (l *loop) declaration(pass *analysis.Pass, name string) string {
	backoff := "otelretry.NoWait()"
	if l.wait != nil {
		backoff = "otelretry.Constant(" + printed(pass, l.wait) + ")"
	}
	dependency, operation := calledNames(pass, l.call)
	return fmt.Sprintf(`

// %s retries as the loop did that it replaced: every error, with no deadline.
var %[1]s = func() *otelretry.Operation {
	policy, err := otelretry.New(%q, otelretry.WithMaxAttempts(%d),
		otelretry.WithBackoff(%s), otelretry.WithoutDeadline())
	if err != nil {
		panic(err) // the settings are constants
	}
	return policy.Operation(%q)
}()`, name, dependency, l.attempts, backoff, operation)
}

// unused returns the edits that remove the declaration of the error, and of
// the value, when nothing but the loop used them; nil when they are used
// elsewhere. Named results stay as they are.
func (l *loop) unused(pass *analysis.Pass) []analysis.TextEdit {
	edits := []analysis.TextEdit{}
	list := l.fn.Body.List
	for i, stmt := range list[:len(list)-2] {
		decl, ok := stmt.(*ast.DeclStmt)
		if !ok {
			continue
		}
		gen := decl.Decl.(*ast.GenDecl)
		spec, ok := gen.Specs[0].(*ast.ValueSpec)
		if !ok || gen.Tok != token.VAR || len(gen.Specs) != 1 || len(spec.Values) > 0 {
			continue
		}
		used, elsewhere := false, false
		for _, id := range spec.Names {
			obj := pass.TypesInfo.Defs[id]
			ast.Inspect(l.fn.Body, func(n ast.Node) bool {
				if use, ok := n.(*ast.Ident); ok && pass.TypesInfo.Uses[use] == obj {
					if use.Pos() >= l.stmt.Pos() {
						used = true
					} else {
						elsewhere = true
					}
				}
				return true
			})
		}
		switch {
		case !used:
		case elsewhere:
			return nil
		default:
			edits = append(edits, analysis.TextEdit{Pos: stmt.Pos(), End: list[i+1].Pos()})
		}
	}
	return edits
}

// operationName is the name of the operation's variable: payOperation for pay
// and for Pay, clientPayOperation for a method of Client.
func operationName(fn *ast.FuncDecl) string {
	name := fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		recv := fn.Recv.List[0].Type
		if star, ok := recv.(*ast.StarExpr); ok {
			recv = star.X
		}
		if id, ok := recv.(*ast.Ident); ok {
			name = id.Name + strings.ToUpper(name[:1]) + name[1:]
		}
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:] + "Operation"
}

// calledNames are the names of the dependency and of the operation: the type
// or package that the call is a method or function of, and the method.
func calledNames(pass *analysis.Pass, call *ast.CallExpr) (dependency, operation string) {
	dependency, operation = pass.Pkg.Name(), "call"
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		operation = fun.Name
	case *ast.SelectorExpr:
		operation = fun.Sel.Name
		if id, ok := fun.X.(*ast.Ident); ok {
			if pkg, ok := pass.TypesInfo.Uses[id].(*types.PkgName); ok {
				return pkg.Imported().Name(), operation
			}
		}
		typ := pass.TypesInfo.TypeOf(fun.X)
		if pointer, ok := typ.(*types.Pointer); ok {
			typ = pointer.Elem()
		}
		if named, ok := types.Unalias(typ).(*types.Named); ok {
			dependency = strings.ToLower(named.Obj().Name())
		}
	}
	return dependency, operation
}

// clashes says whether the fix would mean another thing than the packages by
// the names that it writes.
func clashes(pass *analysis.Pass, file *ast.File, pos token.Pos) bool {
	inner := pass.TypesInfo.Scopes[file].Innermost(pos)
	for name, path := range map[string]string{"context": "context", "otelretry": otelretryPath} {
		if inner == nil {
			return true
		}
		_, obj := inner.LookupParent(name, pos)
		if pkg, ok := obj.(*types.PkgName); obj != nil && (!ok || pkg.Imported().Path() != path) {
			return true
		}
	}
	return false
}

func fileOf(pass *analysis.Pass, n ast.Node) *ast.File {
	for _, file := range pass.Files {
		if file.FileStart <= n.Pos() && n.End() <= file.FileEnd {
			return file
		}
	}
	return nil
}

// imports says whether a file has a package under the package's own name.
func imports(file *ast.File, importPath string) bool {
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && p == importPath && (spec.Name == nil || spec.Name.Name == path.Base(p)) {
			return true
		}
	}
	return false
}

// importName is how a file calls a package.
func importName(file *ast.File, pkg *types.Package) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == pkg.Path() && spec.Name != nil {
			return spec.Name.Name
		}
	}
	return pkg.Name()
}

func importDecl(file *ast.File, spec *ast.ImportSpec) *ast.GenDecl {
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Pos() <= spec.Pos() && spec.End() <= gen.End() {
			return gen
		}
	}
	return nil
}

func printed(pass *analysis.Pass, n ast.Node) string {
	var out bytes.Buffer
	if err := format.Node(&out, pass.Fset, n); err != nil {
		panic(err) // a bytes.Buffer takes everything, and the node was parsed
	}
	return out.String()
}
