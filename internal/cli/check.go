package cli

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/threshold"
)

func newCheck(env Env) *cobra.Command {
	var source sourceFlags
	var limits []string
	var file string
	cmd := &cobra.Command{
		Use:   "check [FILE...] --threshold LIMIT",
		Short: "Hold recorded telemetry against thresholds",
		Long: `Hold recorded telemetry against thresholds and print each with the value found.
The exit code is 1 when one fails, or when what it is about was not measured,
be it that a filter leaves nothing.

A threshold is [SUBJECT:]FIGURE<VALUE (also <=, >, >=), where SUBJECT is
dependency/operation, a dependency, or * for every operation; without one the
total is meant. Values may have a unit: %, s or ms.

--config reads a YAML file:

  thresholds:
    - "*:attempts_per_request < 1.2"
    - {figure: first_attempt_success, op: ">=", value: 0.99, dependency: payments, each: true}`,
		Example: `  retrystat check -t 'attempts_per_request<1.1' -t '*:first_attempt_success>=99%' telemetry.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			thresholds, err := parseThresholds(limits, file)
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
			for _, r := range threshold.Check(s, thresholds) {
				word, found := "ok", "not measured"
				if r.Value != nil {
					found = r.Threshold.Unit.Text(*r.Value, 6)
				}
				if !r.Passed {
					word, failed = "FAIL", true
				}
				fmt.Fprintf(out, "%s\t%s\t%s\tfound %s\n", word, r.Subject, r.Threshold, found)
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("writing the result: %w", err)
			}
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
	cmd.Flags().StringArrayVarP(&limits, "threshold", "t", nil, "a `limit`; may be given several times")
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` of thresholds")
	return cmd
}

func parseThresholds(limits []string, file string) ([]threshold.Threshold, error) {
	var out []threshold.Threshold
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if out, err = threshold.ParseYAML(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, l := range limits {
		t, err := threshold.Parse(l)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, errors.New("no thresholds: give --threshold or --config")
	}
	return out, nil
}
