package retrylib

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// signatureOf writes a function's type in the table's form.
func signatureOf(fn *types.Func) string {
	text := types.TypeString(fn.Signature(), func(p *types.Package) string { return p.Name() })
	canonical, err := canonicalSignature(text)
	if err != nil {
		return text
	}
	return canonical
}

// canonicalSignature removes from a function type what does not matter to its
// identity: the names of parameters and results, and the spelling of the empty
// interface.
func canonicalSignature(text string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p\nfunc f"+strings.TrimPrefix(text, "func"), parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	decl := file.Decls[0].(*ast.FuncDecl)
	ast.Inspect(decl, func(n ast.Node) bool {
		if ft, ok := n.(*ast.FuncType); ok {
			unname(ft.Params)
			unname(ft.Results)
		}
		return true
	})
	var b strings.Builder
	if err := format.Node(&b, fset, decl.Type); err != nil {
		return "", err
	}
	out := strings.Join(strings.Fields(b.String()), " ")
	return strings.ReplaceAll(out, "interface{}", "any"), nil
}

// unname drops the names of a parameter list, writing a, b int as int, int.
func unname(list *ast.FieldList) {
	if list == nil {
		return
	}
	var fields []*ast.Field
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			fields = append(fields, &ast.Field{Type: f.Type})
		}
	}
	list.List = fields
}
