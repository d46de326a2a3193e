package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/summary"
)

func newReport(env Env) *cobra.Command {
	var source sourceFlags
	var format, order string
	var top int
	cmd := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Summarise recorded telemetry per dependency and operation",
		Long: `Summarise recorded telemetry per dependency and operation.

FILE is a file or a directory; - is standard input. What a file holds is found
out by its content: OTLP as JSON or protobuf, the Go SDK's stdout exporters,
Prometheus text and OpenMetrics, Jaeger and Tempo traces, plain or in gzip or
zstd. With --prometheus, a server is asked instead.

csv is for programs: names are as they were recorded, also such as a spreadsheet
takes for formulas; import their columns as text there.`,
		Example: `  retrystat report telemetry.jsonl
  retrystat report --format json telemetry/ | jq .total
  curl -s localhost:9464/metrics | retrystat report -
  retrystat report --prometheus http://localhost:9090 --window 1h`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			if err := (&summary.Summary{}).Sort(order); err != nil {
				return fmt.Errorf("--sort: %w", err)
			}
			if top < 0 {
				return errors.New("--top is negative")
			}
			source.timeline = format == "html"
			s, readErr := source.read(cmd, args, env)
			if s == nil {
				return readErr
			}
			if err := s.Sort(order); err != nil {
				return err
			}
			s.Top(top)
			color := env.Terminal != nil && env.Terminal(env.Stdout)
			if err := render.Write(cmd.OutOrStdout(), render.Format(format), s, render.Options{Color: color}); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			switch format {
			case "csv":
				return source.verdictAside(s, readErr, cmd.ErrOrStderr())
			case "json": // it has what was skipped, and no notes
				tellNotes(s, cmd.ErrOrStderr())
			}
			return source.verdict(s, readErr, cmd.ErrOrStderr())
		},
	}
	source.register(cmd)
	cmd.Flags().StringVar(&order, "sort", "retries", "sort `by` "+strings.Join(summary.Orders(), ", "))
	cmd.Flags().IntVar(&top, "top", 0, "only the first `N` operations (0: all)")
	cmd.Flags().StringVarP(&format, "format", "f", "table", "output `format`: "+formatList())
	return cmd
}

func formatList() string {
	var names []string
	for _, f := range render.Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

func checkFormat(format string) error {
	for _, f := range render.Formats() {
		if string(f) == format {
			return nil
		}
	}
	return fmt.Errorf("unknown --format %q: use one of %s", format, formatList())
}
