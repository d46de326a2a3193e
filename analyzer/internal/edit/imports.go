package edit

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Import is the name under which a package of the standard library can be used
// at pos, with the edits that import it where the file does not do so yet. It
// is not ok where the name means something else there.
func Import(pass *analysis.Pass, pos token.Pos, importPath string) (name string, edits []analysis.TextEdit, ok bool) {
	if name = Imported(pass, pos, importPath); name != "" {
		return name, nil, true
	}
	file := fileAt(pass, pos)
	name = path.Base(importPath)
	if name == "v2" {
		name = path.Base(path.Dir(importPath))
	}
	if file == nil || imports(file, importPath) || !freeAt(pass, pos, name) {
		return "", nil, false
	}
	edit, ok := addition(file, importPath)
	return name, []analysis.TextEdit{edit}, ok
}

// addition is the edit that adds an import to a file. Its place among the
// others is a matter of formatting, which sorts them.
func addition(file *ast.File, importPath string) (analysis.TextEdit, bool) {
	quoted := strconv.Quote(importPath)
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT || len(gen.Specs) == 0 {
			continue
		}
		first := gen.Specs[0].(*ast.ImportSpec)
		if first.Path.Value == `"C"` {
			continue // its comment is C source
		}
		if !gen.Lparen.IsValid() {
			return analysis.TextEdit{Pos: gen.Pos(), End: gen.Pos(), NewText: []byte("import " + quoted + "\n")}, true
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ImportSpec)
			if p, err := strconv.Unquote(spec.Path.Value); err == nil && standard(p) && p != "C" {
				at := spec.Pos()
				if spec.Doc != nil {
					at = spec.Doc.Pos()
				}
				return analysis.TextEdit{Pos: at, End: at, NewText: []byte(quoted + "\n\t")}, true
			}
		}
		at := first.Pos()
		if first.Doc != nil {
			at = first.Doc.Pos()
		}
		return analysis.TextEdit{Pos: at, End: at, NewText: []byte(quoted + "\n\n\t")}, true
	}
	return analysis.TextEdit{}, false
}

// standard says whether an import path is one of the standard library, as the
// go command tells them apart.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func imports(file *ast.File, importPath string) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(importPath) })
}

// freeAt says whether a name means nothing at pos, so that an import can have
// it there. What the name means elsewhere in the file, in scopes of its own, an
// import does not change.
func freeAt(pass *analysis.Pass, pos token.Pos, name string) bool {
	scope := pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, token.NoPos)
	return obj == nil
}

func fileAt(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// Go says whether the file at pos may use what came with a version of the
// language, as in "go1.21".
func Go(pass *analysis.Pass, pos token.Pos, atLeast string) bool {
	v := pass.Pkg.GoVersion()
	if file := fileAt(pass, pos); file != nil && pass.TypesInfo.FileVersions[file] != "" {
		v = pass.TypesInfo.FileVersions[file]
	}
	return v == "" || version.Compare(v, atLeast) >= 0
}

// Builtin says whether a predeclared function has its own meaning at pos.
func Builtin(pass *analysis.Pass, pos token.Pos, name string) bool {
	return Means(pass, pos, name, types.Universe.Lookup(name))
}
