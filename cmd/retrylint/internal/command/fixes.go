package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/fix"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/render"
)

// maxRounds bounds how often fixes are applied: those that conflict with
// others wait for the next round, and a fix that calls for itself again is a
// bug that must not go on for ever.
const maxRounds = 10

// applyFixes changes files until no fix is left to apply, and returns what is
// reported then.
func (s *settings) applyFixes(ctx context.Context, checks []*analysis.Analyzer, filter filters, report render.Report, stderr io.Writer) (render.Report, error) {
	applied := 0
	files := make(map[string]bool)
	for range maxRounds {
		plan, err := s.plan(report)
		if err != nil {
			return report, err
		}
		if plan.Applied == 0 {
			break
		}
		if err := plan.Write(); err != nil {
			return report, err
		}
		applied += plan.Applied
		for _, c := range plan.Changes {
			files[c.File] = true
		}
		if s.newFrom != "" { // the fixes are changes too
			if filter, err = s.filters(ctx); err != nil {
				return report, err
			}
		}
		if report, err = s.report(ctx, checks, filter); err != nil {
			return report, err
		}
	}
	if applied > 0 {
		fmt.Fprintf(stderr, "retrylint: applied %s to %s\n", count(applied, "fix"), count(len(files), "file"))
	}
	return report, nil
}

// printDiff shows what -fix would change in its first round.
func (s *settings) printDiff(report render.Report, stdout io.Writer) error {
	plan, err := s.plan(report)
	if err != nil {
		return err
	}
	for _, c := range plan.Changes {
		if _, err := io.WriteString(stdout, c.Diff(s.dir)); err != nil {
			return err
		}
	}
	return nil
}

// plan merges the fixes of the findings. Files outside the current directory
// and vendored ones are not the user's to change.
func (s *settings) plan(report render.Report) (fix.Plan, error) {
	own := func(e finding.Edit) bool {
		rel, err := filepath.Rel(s.dir, e.File)
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		return !slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), "vendor")
	}
	var fixable []finding.Finding
	for _, f := range report.Findings {
		if len(f.Fixes) > 0 && !slices.ContainsFunc(f.Fixes[0].Edits, func(e finding.Edit) bool { return !own(e) }) {
			fixable = append(fixable, f)
		}
	}
	return fix.Make(fixable, os.ReadFile)
}
