package suppress

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/guard"
)

// Analyzer finds the directives of a package; it reports nothing. Checks
// need it in their Requires. Its result is a *Set.
var Analyzer = &analysis.Analyzer{
	Name:       "retrysuppress",
	Doc:        "find the comments that silence checks\n\nOther analyzers use the result; by itself it reports nothing.",
	ResultType: reflect.TypeFor[*Set](),
	Run: func(pass *analysis.Pass) (any, error) {
		return &Set{fset: pass.Fset, syntax: pass.Files}, nil
	},
}

// ToldElsewhere is the flag by which a driver tells the checks that another
// analyzer, unusedignore, reports directives that lack their reason. It is not
// the user's to set.
const ToldElsewhere = "incomplete-told-elsewhere"

func init() {
	Analyzer.Flags.Bool(ToldElsewhere, false, "leave directives without a reason to unusedignore")
}

// A Set holds the directives of one package. It is safe for concurrent use.
// The comments are read when they are first asked for: most packages have no
// findings, so that nobody asks.
type Set struct {
	fset   *token.FileSet
	syntax []*ast.File

	once       sync.Once
	directives []*Directive
	byFile     map[*token.File][]*Directive
}

// Directives returns the directives of the package in source order.
func (s *Set) Directives() []*Directive {
	s.once.Do(s.collect)
	return s.directives
}

// Silenced says whether a directive silences the named check at pos.
//
// incomplete is a directive that would, if it gave the reason that it has to
// give. It is returned once only, so that it is reported once.
func (s *Set) Silenced(check string, pos token.Pos) (silenced bool, incomplete *Directive) {
	s.once.Do(s.collect)
	file := s.fset.File(pos)
	if file == nil {
		return false, nil
	}
	line := rawLine(file, pos)
	for _, d := range s.byFile[file] {
		if line < d.from || line > d.to || !d.silences(check) {
			continue
		}
		if !d.NeedsReason() {
			silenced = true // no break: a second directive is not stale because of the first
		} else if d.reported.CompareAndSwap(false, true) {
			incomplete = d
		}
	}
	return silenced, incomplete
}

func (s *Set) collect() {
	s.byFile = make(map[*token.File][]*Directive)
	for _, syntax := range s.syntax {
		file := s.fset.File(syntax.FileStart)
		if file == nil {
			continue
		}
		found := fileDirectives(file, syntax)
		if len(found) == 0 {
			continue
		}
		extend(file, syntax, found)
		s.byFile[file] = found
		s.directives = append(s.directives, found...)
	}
}

// Check wraps the Run function of a check. What a directive silences is
// dropped, a directive that lacks its reason is reported, diagnostics are
// reported in source order, and a panic becomes an error (see package guard).
//
// The check's Requires must contain Analyzer.
func Check(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return guard.Run(func(pass *analysis.Pass) (any, error) {
		set := pass.ResultOf[Analyzer].(*Set)
		var found []analysis.Diagnostic
		filtered := *pass
		filtered.Report = func(d analysis.Diagnostic) {
			silenced, incomplete := set.Silenced(pass.Analyzer.Name, d.Pos)
			if incomplete != nil && Analyzer.Flags.Lookup(ToldElsewhere).Value.String() != "true" {
				found = append(found, analysis.Diagnostic{
					Pos: incomplete.Pos, End: incomplete.End, Category: pass.Analyzer.Name,
					Message: fmt.Sprintf("//%s without a reason is not followed; write why after the name: //%[1]s %s reason",
						incomplete.Marker, pass.Analyzer.Name),
				})
			}
			if !silenced {
				found = append(found, d)
			}
		}
		result, err := run(&filtered)
		slices.SortStableFunc(found, func(a, b analysis.Diagnostic) int {
			return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Message, b.Message))
		})
		for _, d := range found {
			pass.Report(d)
		}
		return result, err
	})
}
