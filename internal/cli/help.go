package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newHelp is "retrystat help COMMAND", which says so when there is no such
// command.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say how a command is used",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd := root
			for _, name := range args {
				sub := subcommand(cmd, name)
				if sub == nil {
					return unknownCommand(cmd, name)
				}
				cmd = sub
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			cmd := root
			for _, name := range args {
				if cmd = subcommand(cmd, name); cmd == nil {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
			}
			return names(cmd), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// unknownCommand names the commands that there are.
func unknownCommand(cmd *cobra.Command, name string) error {
	known := names(cmd)
	if len(known) == 0 {
		return fmt.Errorf("%s has no commands of its own, and got %q", cmd.CommandPath(), name)
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q: use %s", name, strings.Join(known, ", "))
}

// hideEmptyDefaults takes "(default [])" out of the help texts where pflag leaves
// it in: it knows that lists may be empty, and not that maps may be.
func hideEmptyDefaults(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, list := f.Value.(pflag.SliceValue); !list && f.DefValue == "[]" {
				f.DefValue = ""
			}
		})
	}
}

// refuseEmpty refuses flags whose value is empty, as that of an unset variable
// of a shell is: they would do nothing without a word.
func refuseEmpty(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := false
		switch v := f.Value.(type) {
		case pflag.SliceValue:
			empty = len(v.GetSlice()) == 0 || len(v.GetSlice()) == 1 && v.GetSlice()[0] == ""
		default:
			empty = f.Value.Type() == "string" && f.Value.String() == "" && f.Name != "runbook-url"
		}
		if empty && err == nil {
			err = fmt.Errorf("--%s is given, and empty", f.Name)
		}
	})
	return err
}
