package analyze

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/source"
)

// A converter turns diagnostics into findings.
type converter struct {
	lines *source.Lines
}

func (c converter) finding(act *checker.Action, d analysis.Diagnostic) finding.Finding {
	fset := act.Package.Fset
	f := finding.Finding{
		Check:   act.Analyzer.Name,
		Level:   finding.Warning,
		Message: d.Message,
		URL:     d.URL,
		Package: act.Package.PkgPath,
		Range:   rangeOf(fset, d.Pos, d.End),
	}
	f.Function, f.FunctionLines = enclosing(act, d.Pos)
	f.Snippet = strings.TrimSpace(c.lines.Line(f.File, f.Start.Line))
	for _, r := range d.Related {
		f.Related = append(f.Related, finding.Related{Range: rangeOf(fset, r.Pos, r.End), Message: r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		if edits, ok := editsOf(fset, fix); ok {
			f.Fixes = append(f.Fixes, finding.Fix{Message: fix.Message, Edits: edits})
		}
	}
	return f
}

func rangeOf(fset *token.FileSet, pos, end token.Pos) finding.Range {
	start := fset.Position(pos)
	r := finding.Range{File: start.Filename, Start: finding.Position{Line: start.Line, Column: start.Column}}
	r.End = r.Start
	if stop := fset.Position(end); end.IsValid() && stop.Filename == start.Filename {
		r.End = finding.Position{Line: stop.Line, Column: stop.Column}
	}
	return r
}

// editsOf returns the edits of a fix by file offset. ok is false for a fix of
// a file that was derived from another (cgo, line comments): the offsets are
// those of the derived one. A fix that changes nothing has no use either.
func editsOf(fset *token.FileSet, fix analysis.SuggestedFix) (edits []finding.Edit, ok bool) {
	for _, edit := range fix.TextEdits {
		end := edit.End
		if !end.IsValid() {
			end = edit.Pos
		}
		file := fset.File(edit.Pos)
		if file == nil || fset.Position(edit.Pos).Filename != file.Name() {
			return nil, false
		}
		edits = append(edits, finding.Edit{
			File: file.Name(), Start: file.Offset(edit.Pos), End: file.Offset(end), New: string(edit.NewText),
			Range: rangeOf(fset, edit.Pos, end),
		})
	}
	return edits, len(edits) > 0
}

// enclosing names the declaration around pos, and its first and last line.
func enclosing(act *checker.Action, pos token.Pos) (name string, lines [2]int) {
	path := act.Package.PkgPath
	fset := act.Package.Fset
	for _, file := range act.Package.Syntax {
		if pos < file.FileStart || pos > file.FileEnd {
			continue
		}
		// Declarations are in order: only the first that ends after pos can hold it.
		i, _ := slices.BinarySearchFunc(file.Decls, pos, func(decl ast.Decl, pos token.Pos) int { return cmp.Compare(decl.End(), pos+1) })
		if i == len(file.Decls) {
			break
		}
		decl := file.Decls[i]
		start := decl.Pos()
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc != nil {
			start = fn.Doc.Pos()
		}
		if start <= pos {
			return path + "." + declName(decl, pos), [2]int{fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line}
		}
	}
	return path, lines
}

// declName is the name of a declaration as the runtime would write it:
// "Charge", "(*Client).Charge", "Order.Pay". Of variables it is the first one
// of the specification that holds pos.
func declName(decl ast.Decl, pos token.Pos) string {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil || len(decl.Recv.List) == 0 {
			return decl.Name.Name
		}
		recv := decl.Recv.List[0].Type
		star, pointer := recv.(*ast.StarExpr)
		if pointer {
			recv = star.X
		}
		switch generic := recv.(type) {
		case *ast.IndexExpr:
			recv = generic.X
		case *ast.IndexListExpr:
			recv = generic.X
		}
		base := "_"
		if id, ok := recv.(*ast.Ident); ok {
			base = id.Name
		}
		if pointer {
			base = "(*" + base + ")"
		}
		return base + "." + decl.Name.Name
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec.Pos() <= pos && pos < spec.End() {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					return spec.Names[0].Name
				case *ast.TypeSpec:
					return spec.Name.Name
				}
			}
		}
		return decl.Tok.String()
	}
	return "_"
}
