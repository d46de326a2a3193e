package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/render"
)

// lint runs the checks and prints what they found.
func lint(ctx context.Context, s *settings, stdout, stderr io.Writer) (int, error) {
	checks, err := s.checks.Selected()
	if err != nil {
		return exitFailure, err
	}
	dir, err := workingDir()
	if err != nil {
		return exitFailure, err
	}
	result, err := analyze.Run(ctx, s.request(dir), checks)
	if err != nil {
		return exitFailure, err
	}
	report := render.Report{
		Findings: result.Findings,
		Problems: result.Problems,
		Checks:   checks,
		Root:     dir,
		Version:  version(),
	}
	if err := s.print(stdout, report); err != nil {
		return exitFailure, err
	}
	for _, p := range report.Problems {
		fmt.Fprintf(stderr, "retrylint: %s\n", p)
	}
	switch {
	case len(report.Problems) > 0:
		return exitFailure, errIncomplete
	case len(report.Findings) > 0:
		return exitFindings, nil
	}
	return exitClean, nil
}

func (s *settings) request(dir string) analyze.Request {
	return analyze.Request{Dir: dir, Patterns: s.patterns, Tests: s.tests(), Tags: s.tags}
}

// tests is the value of -tests, which belongs to what the checks stand on.
func (s *settings) tests() bool {
	f := s.flags.Lookup("tests")
	return f != nil && f.Value.String() == "true"
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
	return writeFile(s.output, buf.Bytes())
}

// writeFile puts a file in place whole: a reader never sees half of it, and a
// failure leaves what was there.
func writeFile(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return fmt.Errorf("can't write %s: %w", name, err)
	}
	defer os.Remove(tmp.Name()) // fails once it has been renamed
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if closing := tmp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("can't write %s: %w", name, err)
	}
	return nil
}
