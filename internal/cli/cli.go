// Package cli is the command line of retrystat: one file per command.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/render"
)

// Exit codes: fine, findings (a threshold failed), and usage or input errors.
const (
	exitFine     = 0
	exitFindings = 1
	exitError    = 2
)

// Env is what the command line takes from outside.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       func(io.Writer) bool // whether a stream is a terminal
}

// Main runs the command line and returns the exit code. When ctx ends, reading
// stops and what was read so far is reported.
func Main(ctx context.Context, args []string, env Env) int {
	root := newRoot(env)
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		unquoteUsage(root)
	}
	err := refuseOneDash(root, args)
	if err == nil {
		out := &outcome{w: env.Stdout}
		root.SetOut(out)
		err = cmp.Or(root.ExecuteContext(ctx), out.err)
	}
	var code exitCode
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &code):
		return int(code)
	case isBrokenPipe(err):
		return exitFine // the reader of a pipe had enough
	}
	tell(env.Stderr, err)
	return exitError
}

// outcome remembers that writing failed, which cobra does not say of help.
type outcome struct {
	w   io.Writer
	err error
}

func (o *outcome) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// tell writes an error, which may be several, a line each.
func tell(stderr io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, "retrystat:", render.Printable(line))
	}
}

// exitCode ends the program with a code after everything was said.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

func newRoot(env Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "retrystat",
		Short: "Say what retries cost, from recorded telemetry",
		Long: `retrystat reads the metrics and traces of retries and says, per dependency and
operation, how many attempts a request takes, how often the first one succeeds,
what the retries were for and how much time they added.

Exit codes: 0 fine, 1 a threshold failed, 2 usage or input error.`,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: refuseEmpty,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Version:                    version(),
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetVersionTemplate("retrystat {{.Version}}\n")
	root.AddCommand(newReport(env), newDiff(env), newCheck(env), newWatch(env), newRules(env), newDashboard(env), newGenerate(), newVersion())
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	refuseOtherShells(root)
	offerValues(root)
	hideEmptyDefaults(root)
	return root
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "retrystat", version())
			return err
		},
	}
}

// noArguments refuses arguments, of which cobra would say that they are no
// commands.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, and got %q", cmd.Name(), args)
	}
	return nil
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func isBrokenPipe(err error) bool {
	return errors.Is(err, os.ErrClosed) || errors.Is(err, errBrokenPipe)
}
