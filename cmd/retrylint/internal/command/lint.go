package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/baseline"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/changed"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/render"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/telemetry"
	"github.com/retrykit/retrykit/internal/wholefile"
)

// lint runs the checks and prints what they found.
func (s *settings) lint(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	checks, err := s.selected()
	if err != nil {
		return exitFailure, err
	}
	filter, err := s.filters(ctx)
	if err != nil {
		return exitFailure, err
	}
	report, err := s.report(ctx, checks, filter, nil)
	if err != nil {
		return exitFailure, err
	}
	switch {
	case s.writeBaseline != "":
		return s.saveBaseline(report, stderr)
	case s.diff:
		if err := s.printDiff(ctx, checks, filter, report, stdout, stderr); err != nil {
			return exitFailure, err
		}
	case s.fix:
		if report, err = s.applyFixes(ctx, checks, filter, report, stderr); err != nil {
			return exitFailure, err
		}
	}
	if !s.diff {
		if err := s.print(stdout, report); err != nil {
			return exitFailure, err
		}
	}
	return s.conclude(report, stderr)
}

// report analyses the packages and returns what is to be reported. Files that
// the overlay holds are taken to be as they are there.
func (s *settings) report(ctx context.Context, checks []*analysis.Analyzer, filter filters, overlay map[string][]byte) (render.Report, error) {
	request := analyze.Request{Dir: s.dir, Patterns: s.patterns, Tests: s.tests(), Tags: s.tags, Overlay: overlay}
	result, err := analyze.Run(ctx, request, checks)
	if err != nil {
		return render.Report{}, err
	}
	report := render.Report{
		Findings: result.Findings,
		Problems: result.Problems,
		Checks:   checks,
		Levels:   s.levels.ByCheck(),
		Root:     s.dir,
		Version:  version(),
	}
	for i, f := range report.Findings {
		if level, ok := report.Levels[f.Check]; ok {
			report.Findings[i].Level = level
		}
	}
	filter.apply(&report, result)
	return report, nil
}

// filters are what is done to findings before they are reported.
type filters struct {
	baseline  *baseline.Baseline
	changed   *changed.Lines
	telemetry *telemetry.Report
}

func (s *settings) filters(ctx context.Context) (filters, error) {
	var f filters
	if s.baseline != "" && s.writeBaseline == "" {
		b, err := baseline.Read(s.baseline)
		if err != nil {
			return f, err
		}
		f.baseline = &b
	}
	if s.newFrom != "" {
		lines, err := changed.Since(ctx, s.dir, s.newFrom)
		if err != nil {
			return f, fmt.Errorf("-new-from: %w", err)
		}
		f.changed = lines
	}
	if s.telemetry != "" {
		report, err := telemetry.Read(s.telemetry)
		if err != nil {
			return f, err
		}
		f.telemetry = report
	}
	return f, nil
}

func (f filters) apply(report *render.Report, result *analyze.Result) {
	if f.baseline != nil {
		ran := func(check string) bool {
			return slices.ContainsFunc(report.Checks, func(a *analysis.Analyzer) bool { return a.Name == check })
		}
		report.Findings, report.Stale = f.baseline.Filter(report.Findings, ran, result.Analysed)
	}
	if f.changed != nil {
		report.Findings = slices.DeleteFunc(report.Findings, func(x finding.Finding) bool { return !f.changed.Touches(x) })
	}
	if f.telemetry != nil {
		unmatched := f.telemetry.Join(report.Findings, report.Root)
		report.Notes = append(report.Notes, joinNotes(unmatched)...)
	}
}

// joinNotes says what of the telemetry is not in the report.
func joinNotes(u telemetry.Unmatched) []string {
	notes := slices.Clone(u.BadCallSites)
	if u.Operations == 0 {
		notes = append(notes, "the telemetry report has no operations, so no finding has a cost")
	}
	if u.NoCallSite > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d measured operations do not say where they are called (call_site), so they are not joined", u.NoCallSite, u.Operations))
	}
	if u.NoFinding > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d measured operations are called where nothing was found", u.NoFinding, u.Operations))
	}
	return notes
}

// print writes the report to standard output, or whole to the file of -o.
func (s *settings) print(stdout io.Writer, report render.Report) error {
	write := formats[s.format]
	if s.output == "" {
		return write(stdout, report, s)
	}
	var buf bytes.Buffer
	if err := write(&buf, report, s); err != nil {
		return err
	}
	return wholefile.Write(s.output, buf.Bytes())
}

// conclude says on standard error what is not a finding, and chooses the exit
// code.
func (s *settings) conclude(report render.Report, stderr io.Writer) (int, error) {
	for _, key := range report.Stale {
		fmt.Fprintf(stderr, "retrylint: the baseline knows a finding of %s in %s that is not found any more (%s), because its code changed or it is silenced now; write the baseline anew with -write-baseline=%s\n",
			key.Check, key.Function, key.Snippet, s.baseline)
	}
	for _, note := range report.Notes {
		fmt.Fprintf(stderr, "retrylint: %s\n", note)
	}
	for _, p := range report.Problems {
		fmt.Fprintf(stderr, "retrylint: %s\n", p)
	}
	if len(report.Problems) > 0 {
		return exitFailure, errIncomplete
	}
	lowest := finding.Level(s.failOn)
	if slices.ContainsFunc(report.Findings, func(f finding.Finding) bool { return f.Level.AtLeast(lowest) }) {
		return exitFindings, nil
	}
	return exitClean, nil
}

// saveBaseline writes the findings down. It refuses to when the analysis is
// incomplete: what is missing would be new the next time.
func (s *settings) saveBaseline(report render.Report, stderr io.Writer) (int, error) {
	if len(report.Problems) > 0 {
		fmt.Fprintf(stderr, "retrylint: %s is not written: the findings of what can't be analysed would be new the next time\n", s.writeBaseline)
		return s.conclude(render.Report{Problems: report.Problems}, stderr)
	}
	if err := wholefile.Write(s.writeBaseline, baseline.Of(report.Findings).JSON()); err != nil {
		return exitFailure, err
	}
	fmt.Fprintf(stderr, "retrylint: %s knows %s now; report only new ones with -baseline=%[1]s\n", s.writeBaseline, count(len(report.Findings), "finding"))
	return exitClean, nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
