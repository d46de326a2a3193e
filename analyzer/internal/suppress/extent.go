package suppress

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"sync/atomic"
)

// rawLine is the line in the file as it was parsed. A line comment (cgo and
// generators write them) would move findings and directives apart.
func rawLine(file *token.File, pos token.Pos) int {
	return file.PositionFor(pos, false).Line
}

// fileDirectives returns the directives of one file with the lines that they
// cover before what begins there is counted in.
func fileDirectives(file *token.File, syntax *ast.File) []*Directive {
	var found []*Directive
	for _, group := range syntax.Comments {
		for _, comment := range group.List {
			d, ok := parse(comment.Text)
			if !ok {
				continue
			}
			d.Pos, d.End = comment.Pos(), comment.End()
			d.file = file
			d.used = make([]atomic.Bool, len(d.Names))
			d.from = rawLine(file, comment.Pos())
			d.to = rawLine(file, group.End())
			if d.wholeFile() {
				d.from, d.to = 1, file.LineCount()
			}
			found = append(found, d)
		}
	}
	slices.SortFunc(found, func(a, b *Directive) int { return cmp.Compare(a.Pos, b.Pos) })
	return found
}

// extend widens each directive to the nodes that begin on its line, or, where
// it has a line of its own, on the line below its comment.
func extend(file *token.File, syntax *ast.File, directives []*Directive) {
	byLine := make(map[int]*Directive) // a line holds one comment at most
	for _, d := range directives {
		byLine[rawLine(file, d.Pos)] = d
	}
	trailing := make(map[*Directive]bool)
	forEachNode(syntax, func(n ast.Node) {
		if d := byLine[rawLine(file, n.Pos())]; d != nil && n.Pos() < d.Pos {
			trailing[d] = true
		}
		if d := byLine[rawLine(file, n.End())]; d != nil && n.End() <= d.Pos {
			trailing[d] = true
		}
	})

	begins := make(map[int][]*Directive) // by the line on which what they cover begins
	for _, d := range directives {
		switch {
		case d.wholeFile():
			continue
		case trailing[d]:
			// A comment may go on below; that part is not covered.
			d.to = rawLine(file, d.Pos)
		default:
			d.to++
		}
		begins[d.to] = append(begins[d.to], d)
	}
	forEachNode(syntax, func(n ast.Node) {
		for _, d := range begins[rawLine(file, n.Pos())] {
			d.to = max(d.to, rawLine(file, n.End()))
		}
	})
}

func forEachNode(syntax *ast.File, visit func(ast.Node)) {
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case nil:
			return false
		case *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.File:
			// The whole file, from the package clause on.
			visit(n)
			return true
		}
		// A node begins at its keyword: the doc comment of a declaration is
		// not part of ast.Node.Pos.
		visit(n)
		return true
	})
}
