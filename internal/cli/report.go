package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/render"
)

func newReport(env Env) *cobra.Command {
	var read readFlags
	var format string
	cmd := &cobra.Command{
		Use:   "report FILE...",
		Short: "Summarise recorded telemetry per dependency and operation",
		Long: `Summarise recorded telemetry per dependency and operation.

FILE is a file or a directory; - is standard input. What a file holds is found
out by its content.`,
		Example: `  retrystat report telemetry.jsonl
  retrystat report --format json telemetry/ | jq .total
  curl -s localhost:9464/metrics | retrystat report -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			s, readErr := readFiles(cmd.Context(), args, env, &read)
			if s == nil {
				return readErr
			}
			color := env.Terminal != nil && env.Terminal(env.Stdout)
			if err := render.Write(cmd.OutOrStdout(), render.Format(format), s, render.Options{Color: color}); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			return read.verdict(s, readErr, cmd.ErrOrStderr())
		},
	}
	read.register(cmd)
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
