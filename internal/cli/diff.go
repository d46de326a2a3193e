package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/compare"
	"github.com/retrykit/retrykit/internal/render"
)

func newDiff(env Env) *cobra.Command {
	var read readFlags
	var format string
	cmd := &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Say what changed between two recordings, and whether chance explains it",
		Long: `Compare two recordings per operation: the number of requests, the change of
success with its 95 % interval and p, and ~ where chance explains the change.

BEFORE and AFTER are files or directories; one of them may be - for standard
input.`,
		Example: "  retrystat diff before.jsonl after.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two recordings, BEFORE and AFTER, and got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return fmt.Errorf("unknown --format %q: use table or json", format)
			}
			if args[0] == "-" && args[1] == "-" {
				return errors.New("standard input can't be both sides")
			}
			before, beforeErr := readFiles(cmd.Context(), args[:1], env, &read)
			if before == nil {
				return beforeErr
			}
			if before.Interrupted {
				return fmt.Errorf("interrupted while reading %s: nothing was compared", args[0])
			}
			after, afterErr := readFiles(cmd.Context(), args[1:], env, &read)
			if after == nil {
				return afterErr
			}
			if after.Interrupted {
				return fmt.Errorf("interrupted while reading %s: nothing was compared", args[1])
			}
			if before.Unmatched != after.Unmatched { // what one side alone has is a difference
				allowUnmatched(before)
				allowUnmatched(after)
			}
			changes, total := compare.Summaries(before, after)
			if err := render.Diff(cmd.OutOrStdout(), render.Format(format), changes, total); err != nil {
				return fmt.Errorf("writing the differences: %w", err)
			}
			if err := read.verdictAside(before, beforeErr, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return read.verdictAside(after, afterErr, cmd.ErrOrStderr())
		},
	}
	read.register(cmd)
	cmd.Flags().StringVarP(&format, "format", "f", "table", "output `format`: table, json")
	return cmd
}
