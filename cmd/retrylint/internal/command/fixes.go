package command

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
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
		plan, err := s.plan(report, os.ReadFile)
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
		if report, err = s.report(ctx, checks, filter, nil); err != nil {
			return report, err
		}
	}
	if applied > 0 {
		fmt.Fprintf(stderr, "retrylint: applied %s to %s\n", count(applied, "fix"), count(len(files), "file"))
	}
	return report, nil
}

// printDiff shows what -fix would change, all rounds of it, and changes nothing:
// each round is analysed with the files as the one before would leave them.
func (s *settings) printDiff(ctx context.Context, checks []*analysis.Analyzer, filter filters, report render.Report, stdout, stderr io.Writer) error {
	changes := make(map[string]fix.Change)
	overlay := make(map[string][]byte)
	for range maxRounds {
		plan, err := s.plan(report, analyze.Request{Overlay: overlay}.ReadFile)
		if err != nil {
			return err
		}
		if plan.Applied == 0 {
			break
		}
		for _, c := range plan.Changes {
			if first, ok := changes[c.File]; ok {
				c.Before = first.Before
			}
			changes[c.File] = c
			overlay[c.File] = c.After
		}
		if s.newFrom != "" { // git knows nothing of the overlay
			fmt.Fprintln(stderr, "retrylint: with -new-from, this is the first round of the fixes; -fix goes on until none is left, and may change more")
			break
		}
		known := report.Problems
		if report, err = s.report(ctx, checks, filter, overlay); err != nil {
			return err
		}
		for _, p := range report.Problems {
			if !slices.Contains(known, p) {
				fmt.Fprintf(stderr, "retrylint: with these changes: %s\n", p)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(changes)) {
		if _, err := io.WriteString(stdout, changes[file].Diff(s.dir)); err != nil {
			return err
		}
	}
	return nil
}

// plan merges the fixes of the findings. Files outside the current directory
// and vendored ones are not the user's to change.
func (s *settings) plan(report render.Report, read func(string) ([]byte, error)) (fix.Plan, error) {
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
	return fix.Make(fixable, read)
}
