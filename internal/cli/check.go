package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/threshold"
)

func newCheck(env Env) *cobra.Command {
	var source sourceFlags
	var limits, classes []string
	var file string
	cmd := &cobra.Command{
		Use:   "check [FILE...] --threshold LIMIT",
		Short: "Hold recorded telemetry against thresholds",
		Long: `Hold recorded telemetry against thresholds and print each with the value found.
The exit code is 1 when one fails, or when what it is about was not measured,
be it that a filter leaves nothing.

A threshold is [SUBJECT:]FIGURE[CLASS]<VALUE (also <=, >, >=). SUBJECT is
dependency/operation, a dependency for each of its operations, */operation for
that one of any dependency, or * for every operation; without one the total is
meant. [CLASS] is an error class, for figures by class. Shares and numbers per
request may be written with %, times with s or ms.

An error class that is seen nowhere in the input, and that otelretry has no
error of itself (HTTP and gRPC statuses, SQLSTATEs, timeouts and the like), is
not measured; name those of your own with --class.

--config reads a YAML file:

  thresholds:
    - "*:attempts_per_request < 1.2"
    - {figure: first_attempt_success, op: ">=", value: 0.99, dependency: payments, each: true}
  classes: ["*shop.StockError"]

Figures:
` + figureList(),
		Example: `  retrystat check -t 'attempts_per_request<1.1' -t '*:first_attempt_success>=99%' telemetry.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := parseThresholds(limits, classes, file)
			if err != nil {
				return err
			}
			s, readErr := source.read(cmd, args, env)
			if s == nil {
				return readErr
			}
			allowUnmatched(s) // no threshold is measured then, which fails
			out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			failed := false
			var hints []string
			for _, r := range threshold.Check(s, config) {
				word, found := "ok", "not measured"
				if r.Value != nil {
					found = r.Threshold.Unit.Text(*r.Value, 6)
				}
				if !r.Passed {
					word, failed = "FAIL", true
				}
				if r.Hint != "" && !slices.Contains(hints, r.Hint) {
					hints = append(hints, r.Hint)
				}
				fmt.Fprintf(out, "%s\t%s\t%s\tfound %s\n", word, render.Printable(r.Subject), render.Printable(r.Threshold.String()), found)
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("writing the result: %w", err)
			}
			s.Notes = append(s.Notes, hints...)
			if err := source.verdictAside(s, readErr, cmd.ErrOrStderr()); err != nil {
				return err
			}
			if failed {
				return exitCode(exitFindings)
			}
			return nil
		},
	}
	source.register(cmd)
	cmd.Flags().StringArrayVarP(&limits, "threshold", "t", nil, "a `limit`; repeatable")
	cmd.Flags().StringVarP(&file, "config", "c", "", "a YAML `file` of thresholds")
	cmd.Flags().StringArrayVar(&classes, "class", nil, "an error `class` of your own, which may have caused no retry; repeatable")
	return cmd
}

func parseThresholds(limits, classes []string, file string) (threshold.Config, error) {
	var out threshold.Config
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return out, fmt.Errorf("--config: %w", err)
		}
		defer f.Close()
		if out, err = threshold.ParseYAML(f); err != nil {
			return out, fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, l := range limits {
		t, err := threshold.Parse(l)
		if err != nil {
			return out, err
		}
		out.Thresholds = append(out.Thresholds, t)
	}
	if len(out.Thresholds) == 0 {
		return out, errors.New("no thresholds: give --threshold or --config")
	}
	out.Classes = append(out.Classes, classes...)
	return out, nil
}

// figureList is every figure that thresholds may be about, one a line.
func figureList() string {
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range figures.Table() {
		if f.Value == nil {
			continue
		}
		id := f.ID
		if f.ByClass {
			id += "[CLASS]"
		}
		fmt.Fprintf(out, "  %s\t%s\n", id, f.Help)
	}
	_ = out.Flush() // to memory
	return strings.TrimSuffix(b.String(), "\n")
}
