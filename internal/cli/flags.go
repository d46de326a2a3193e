package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/retrykit/retrykit/internal/misspelt"
)

// flagError says what is wrong with a flag, and which one may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		// A name after a single dash is taken for a group of one-letter flags.
		dashes, name := "--", unknown.GetSpecifiedName()
		if group := unknown.GetSpecifiedShortnames(); group != "" {
			dashes = "-"
			name, _, _ = strings.Cut(group, "=")
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := misspelt.Nearest(name, known); len(near) > 0 {
			return fmt.Errorf("unknown flag %s%s: did you mean --%s?", dashes, name, strings.Join(near, " or --"))
		}
		return fmt.Errorf("unknown flag %s%s: %q lists those that there are", dashes, name, cmd.CommandPath()+" --help")
	}
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		f, why := bad.GetFlag(), bad.Unwrap().Error()
		switch f.Value.Type() {
		case "int", "int64", "uint64":
			why = "it must be a whole number"
		case "float64":
			why = "it must be a number"
		case "bool":
			why = "it is true or false"
		case "duration":
			why = "it must be a duration such as 30s, 5m or 1d"
		case "stringSlice":
			why = `separate several with commas; a name with a comma or a quote in it goes in quotes, each quote of its own doubled: "a,b","c""d"`
		case "stringToString":
			why = "write it as name=value"
		}
		return fmt.Errorf("--%s %q: %s", f.Name, bad.GetValue(), why)
	}
	return err
}

// refuseOneDash refuses a long name after one dash where it would be taken for
// a short name and its value: -output x for -o utput.
func refuseOneDash(root *cobra.Command, args []string) error {
	cmd, args, err := root.Find(args)
	if err != nil {
		return nil // executing says so
	}
	flags := cmd.Flags()
	for len(args) > 0 && args[0] != "--" {
		arg := args[0]
		args = args[1:]
		name, _, valued := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		long := flags.Lookup(name)
		var takes *pflag.Flag // whose value comes next
		switch {
		case strings.HasPrefix(arg, "--"):
			if !valued {
				takes = long
			}
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			short := flags.ShorthandLookup(arg[1:2])
			if long != nil && short != nil && len(name) > 1 {
				return fmt.Errorf("unknown flag -%s: did you mean --%s?", name, name)
			}
			if len(arg) == 2 {
				takes = short
			}
		}
		if takes != nil && takes.NoOptDefVal == "" && len(args) > 0 {
			args = args[1:]
		}
	}
	return nil
}

// parseDuration reads a duration as Go writes it, such as 1h30m or 0.5s, or
// Prometheus, such as 1d.
func parseDuration(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	d, err := model.ParseDuration(text)
	return time.Duration(d), err
}

// spanFlag reads a duration in either spelling.
type spanFlag struct{ to *time.Duration }

func (f spanFlag) String() string {
	if f.to == nil {
		return "0s"
	}
	return f.to.String()
}

func (f spanFlag) Set(text string) (err error) {
	*f.to, err = parseDuration(text)
	return err
}

func (f spanFlag) Type() string { return "duration" }

// durationVar is a flag for a duration in either spelling.
func durationVar(flags *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	flags.Var(spanFlag{to}, name, usage)
}
