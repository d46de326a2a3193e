// Package report builds the diagnostics of the checks, so that all of them
// carry the same things: the check as category, its page as URL, and the
// positions that explain a retry site.
package report

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// URL is the page of a check.
func URL(check string) string {
	return "https://github.com/retrykit/retrykit/blob/main/docs/checks/" + check + ".md"
}

// Site reports a diagnostic about a site at pos. A suggested fix may be nil.
func Site(pass *analysis.Pass, s *retrysite.Site, pos, end token.Pos, message string, fix *analysis.SuggestedFix) {
	if end < pos {
		end = token.NoPos // what a library runs may be declared further up
	}
	d := analysis.Diagnostic{
		Pos:      pos,
		End:      end,
		Category: pass.Analyzer.Name,
		Message:  message,
		URL:      URL(pass.Analyzer.Name),
		Related:  related(s),
	}
	if s.Kind == retrysite.KindRecursion {
		fix = nil // fixes are made for what has an outside, which every attempt shares
	}
	send(pass, d, fix)
}

// Place reports a diagnostic about what is no site by itself: a computation
// for one, something that is made or named. A suggested fix may be nil.
func Place(pass *analysis.Pass, at ast.Node, message string, fix *analysis.SuggestedFix) {
	send(pass, analysis.Diagnostic{
		Pos:      at.Pos(),
		End:      at.End(),
		Category: pass.Analyzer.Name,
		Message:  message,
		URL:      URL(pass.Analyzer.Name),
	}, fix)
}

func send(pass *analysis.Pass, d analysis.Diagnostic, fix *analysis.SuggestedFix) {
	if fix != nil && pass.Fset.File(d.Pos).Name() == pass.Fset.Position(d.Pos).Filename { // not in the copy that cgo makes
		d.SuggestedFixes = []analysis.SuggestedFix{*fix}
	}
	pass.Report(d)
}

// related are the operation, the waits and the back edge of a site.
func related(s *retrysite.Site) []analysis.RelatedInformation {
	var list []analysis.RelatedInformation
	if len(s.Ops) > 0 {
		op := s.Op()
		list = append(list, analysis.RelatedInformation{Pos: op.Call.Pos(), End: op.Call.End(), Message: op.Name + " is retried here"})
	}
	for _, w := range s.Waits {
		list = append(list, analysis.RelatedInformation{Pos: w.Node.Pos(), End: w.Node.End(), Message: "the wait between attempts"})
	}
	if s.BackEdge.IsValid() && (s.Kind == retrysite.KindLoop || s.Kind == retrysite.KindRecursion) {
		list = append(list, analysis.RelatedInformation{Pos: s.BackEdge, Message: "a failure comes back from here"})
	}
	return list
}

// Times says how often an operation that always fails is called: "4 times",
// "again and again" when the bound is not a constant.
func Times(s *retrysite.Site) string {
	if a := s.Attempts; a.Kind == retrysite.BoundConst && a.Max > 0 {
		if a.Max == 1 {
			return "once"
		}
		return fmt.Sprintf("%d times", a.Max)
	}
	return "again and again"
}
