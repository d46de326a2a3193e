package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// readFlags are the flags of every command that reads telemetry.
type readFlags struct {
	dependency, operation []string
	since, until          string
	strict                bool
}

func (f *readFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.dependency, "dependency", nil, "only these `dependencies`, separated by commas; repeatable")
	flags.StringSliceVar(&f.operation, "operation", nil, "only these `operations`, separated by commas; repeatable")
	flags.StringVar(&f.since, "since", "", "only what was measured after this `time`: RFC 3339, or how long ago (15m)")
	flags.StringVar(&f.until, "until", "", "only what was measured up to this `time`")
	flags.BoolVar(&f.strict, "strict", false, "make any skipped line or point an error")
}

func (f *readFlags) options(now time.Time) (figures.Options, error) {
	var o figures.Options
	var err error
	if o.Since, err = parseTime(f.since, now); err != nil {
		return o, fmt.Errorf("--since: %w", err)
	}
	if o.Until, err = parseTime(f.until, now); err != nil {
		return o, fmt.Errorf("--until: %w", err)
	}
	if !o.Since.IsZero() && !o.Until.IsZero() && !o.Since.Before(o.Until) {
		return o, errors.New("--since is not before --until")
	}
	if len(f.dependency) > 0 || len(f.operation) > 0 {
		o.Keep = func(dependency, operation string) bool {
			return oneOf(dependency, f.dependency) && (oneOf(operation, f.operation))
		}
	}
	return o, nil
}

// moves says which ends of the window are told by how long ago they are.
func (f *readFlags) moves() figures.Moves {
	ago := func(text string) bool {
		_, err := time.Parse(time.RFC3339Nano, text)
		return text != "" && err != nil
	}
	return figures.Moves{Since: ago(f.since), Until: ago(f.until)}
}

func oneOf(s string, allowed []string) bool {
	if len(allowed) == 0 {
		return true
	}
	for _, a := range allowed {
		if s == a {
			return true
		}
	}
	return false
}

func parseTime(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		if !t.After(time.Unix(0, 0)) || t.After(time.Unix(0, math.MaxInt64)) {
			return t, fmt.Errorf("%s is no time that telemetry can have: it counts nanoseconds from 1970, up to 2262", text)
		}
		return t, nil
	}
	if d, err := parseDuration(strings.TrimPrefix(text, "-")); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("%q is neither a time such as 2026-01-02T15:04:05Z nor a duration such as 15m", text)
}

// readFiles reads telemetry and summarises it. The summary is there also when
// the error is not nil, as long as anything was read; an error is said on
// standard error by the caller.
func readFiles(ctx context.Context, paths []string, env Env, f *readFlags) (*summary.Summary, error) {
	if first := slices.Index(paths, "-"); first >= 0 && slices.Contains(paths[first+1:], "-") {
		return nil, errors.New("standard input (-) is named twice, and can be read once only")
	}
	options, err := f.options(time.Now())
	if err != nil {
		return nil, err
	}
	builder := figures.NewBuilder(options)
	progress := &reader.Progress{}
	stop := showProgress(env, progress)
	err = reader.Read(ctx, paths, builder, reader.Options{
		Stdin: env.Stdin, Progress: progress,
		Registry: telemetry.NewRegistry(dialect.Catalog(), 0),
	})
	stop()
	return summarise(ctx, builder, paths, err)
}

// summarise ends a builder after reading, which may have failed.
func summarise(ctx context.Context, builder *figures.Builder, paths []string, err error) (*summary.Summary, error) {
	s := builder.Summary()
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		s.Interrupted = true
		err = nil
	}
	if points, spans := builder.Points(); points == 0 && spans == 0 {
		switch {
		case err != nil:
			return nil, err
		case !s.Interrupted:
			text := "no metrics and no spans in " + strings.Join(paths, ", ")
			for _, x := range s.Input.Skipped {
				text += "\n" + skippedText(x)
			}
			return nil, errors.New(text)
		}
	}
	return s, err
}

// verdict turns what was read into the command's error: input errors, refused
// streams and, under --strict, anything that was skipped.
func (f *readFlags) verdict(s *summary.Summary, readErr error, stderr io.Writer) error {
	if readErr != nil {
		tell(stderr, readErr)
		return exitCode(exitError)
	}
	if s.Interrupted {
		fmt.Fprintln(stderr, "retrystat: interrupted: the figures cover what was read until then")
		return exitCode(exitError)
	}
	if s.Refused {
		fmt.Fprintln(stderr, "retrystat: the input contradicts itself; the figures concerned are left out, see the notes")
		return exitCode(exitError)
	}
	if s.Unmatched {
		fmt.Fprintln(stderr, "retrystat:", render.Printable(s.Nothing))
		return exitCode(exitError)
	}
	if f.strict && len(s.Input.Skipped) > 0 {
		tellSkipped(s, stderr)
		return exitCode(exitError)
	}
	return nil
}

// allowUnmatched makes filters that leave nothing a remark instead of an error.
func allowUnmatched(s *summary.Summary) {
	if s.Unmatched {
		s.Unmatched, s.Notes = false, append(s.Notes, s.Nothing)
	}
}

// verdictAside is verdict for output that has no place to say what was
// skipped, and for notes: they are told on the side.
func (f *readFlags) verdictAside(s *summary.Summary, readErr error, stderr io.Writer) error {
	if !f.strict {
		tellSkipped(s, stderr)
	}
	tellNotes(s, stderr)
	return f.verdict(s, readErr, stderr)
}

func tellNotes(s *summary.Summary, stderr io.Writer) {
	for _, note := range s.Notes {
		fmt.Fprintln(stderr, "retrystat: note:", render.Printable(note))
	}
}

func tellSkipped(s *summary.Summary, stderr io.Writer) {
	for _, x := range s.Input.Skipped {
		fmt.Fprintln(stderr, "retrystat:", render.Printable(skippedText(x)))
	}
}

func skippedText(x summary.Skipped) string {
	return fmt.Sprintf("skipped %d x %s, first at %s", x.Count, x.Reason, x.Example)
}
