package unusedignore

import (
	_ "embed"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports comments that silence a check of the suite where it has
// nothing to say. It runs every check, those that are off by default
// included, since only then it can know. See the package documentation.
var Analyzer = New(analyzer.All())

// New returns an analyzer that judges the directives of the given checks.
func New(checks []*analysis.Analyzer) *analysis.Analyzer {
	known := []string{suppress.Every}
	for _, check := range checks {
		known = append(known, check.Name)
	}
	return &analysis.Analyzer{
		Name:     "unusedignore",
		Doc:      checkdoc.Text(source),
		URL:      "https://github.com/retrykit/retrykit/blob/main/docs/checks/unusedignore.md",
		Requires: append(slices.Clone(checks), suppress.Analyzer),
		Run: func(pass *analysis.Pass) (any, error) {
			report(pass, known)
			return nil, nil
		},
	}
}

func report(pass *analysis.Pass, known []string) {
	tests := retrysite.Analyzer.Flags.Lookup("tests").Value.String() == "true"
	skipped := func(d *suppress.Directive) bool {
		file := pass.Fset.File(d.Pos)
		if !tests && strings.HasSuffix(file.Name(), "_test.go") {
			return true // not searched, so nothing is known of it
		}
		return slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
			return pass.Fset.File(f.FileStart) == file && ast.IsGenerated(f)
		})
	}
	for _, d := range pass.ResultOf[suppress.Analyzer].(*suppress.Set).Directives() {
		if skipped(d) {
			continue
		}
		ours := strings.HasPrefix(d.Marker, "retrylint:")
		say := func(format string, args ...any) {
			pass.Report(analysis.Diagnostic{Pos: d.Pos, End: d.End, Category: "unusedignore", Message: fmt.Sprintf(format, args...)})
		}
		if ours && len(d.Names) == 0 {
			say("//%s names no check; write //%[1]s <check> reason, or remove it", d.Marker)
			continue
		}
		if d.NeedsReason() && (ours || slices.ContainsFunc(d.Names, func(n string) bool { return slices.Contains(known, n) })) {
			say("//%s without a reason is not followed; write why after the names, or remove it", d.Marker)
			continue
		}
		for _, name := range d.Unused() {
			sep := " "
			if d.Marker == "nolint" {
				sep = ":"
			}
			switch {
			case slices.Contains(known, name):
				say("//%s%s%s silences nothing, since %[3]s has nothing to say here; remove it", d.Marker, sep, name)
			case ours:
				say("//%s%s%s names no check of retrylint, so it silences nothing; \"retrylint help\" lists the checks", d.Marker, sep, name)
			}
		}
	}
}
