package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
	"github.com/retrykit/retrykit/internal/summary"
)

// recordings are the usual endings of files that hold telemetry. What they hold
// is found out by content: they only keep other files from being offered.
var recordings = []string{"json", "jsonl", "ndjson", "pb", "binpb", "proto", "prom", "om", "txt", "log", "gz", "zst", "zstd"}

// offers is what a shell offers as the value of a flag, by the flag's name, or
// by command and flag where commands differ. Flags that are not here have values
// that can't be known; no files are offered for them.
func offers() map[string]cobra.CompletionFunc {
	ago := values("5m", "15m", "1h", "6h", "24h")
	out := map[string]cobra.CompletionFunc{
		"report format":    values(strings.Split(formatList(), ", ")...),
		"diff format":      values("table", "json"),
		"rules format":     values("rules", "prometheusrule", "settings"),
		"dashboard format": values("grafana", "perses"),
		"sort":             values(summary.Orders()...),
		"since":            ago,
		"until":            ago,
		"window":           ago,
		"lookback":         values("1h", "6h", "24h", "168h"),
		"interval":         values("1s", "2s", "10s", "30s", "1m"),
		"timeout":          values("5s", "30s", "2m"),
		"threshold":        ofSubject(begun(thresholdFigures()...)),
		"class":            values("503", "UNAVAILABLE", "timeout", "connection_refused"),
		"off":              listed(values(rules.Alerts()...)),
		"severity":         begun(rules.Page+"=", rules.Ticket+"="),
		"prometheus":       begun("http://localhost:9090", "https://"),
		"from":             files(recordings...),
		"config":           files("yaml", "yml"),
		"rules output":     files("yaml", "yml"),
		"dashboard output": files("json", "yaml", "yml"),
		"mixin":            cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		"tls-ca":           files("pem", "crt", "cer"),
		"tls-cert":         files("pem", "crt", "cer"),
		"tls-key":          files("pem", "key"),
		// Such a file may have any name.
		"bearer-token-file": cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
	}
	var namings []string
	for _, n := range promname.All() {
		namings = append(namings, string(n))
	}
	out["naming"] = values(namings...)
	return out
}

func values(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
}

// listed offers values again after each comma.
func listed(offer cobra.CompletionFunc) cobra.CompletionFunc { return after(",", offer) }

// ofSubject offers a threshold's figure after its subject too.
func ofSubject(offer cobra.CompletionFunc) cobra.CompletionFunc { return after(":", offer) }

// after offers values after the last separator, together with what is before it.
func after(separator string, offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		offered, directive := offer(cmd, args, begun)
		before := begun[:strings.LastIndex(begun, separator)+1]
		out := make([]string, len(offered))
		for i, value := range offered {
			out[i] = before + value
		}
		return out, directive
	}
}

// begun are values that the user goes on writing.
func begun(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveKeepOrder)
}

func files(endings ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

// thresholdFigures come without a comparison, which a shell would take for a
// redirection.
func thresholdFigures() []string {
	var out []string
	for _, f := range figures.Table() {
		if f.Value != nil {
			out = append(out, f.ID)
		}
	}
	return out
}

// offerValues gives every flag of every command its completion.
func offerValues(root *cobra.Command) {
	known := offers()
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			offer := known[cmd.Name()+" "+f.Name]
			if offer == nil {
				offer = known[f.Name]
			}
			if offer == nil {
				offer = cobra.NoFileCompletions
			}
			if err := cmd.RegisterFlagCompletionFunc(f.Name, offer); err != nil {
				panic(err) // the flag is there: it is visited
			}
		})
		switch cmd.Name() {
		case "report", "check", "watch":
			cmd.ValidArgsFunction = files(recordings...)
		case "diff":
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
				if len(args) >= 2 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return files(recordings...)(cmd, args, toComplete)
			}
		case "help", "completion":
		default:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// unquoteUsage takes the marks out of the flags' descriptions by which help
// knows how to call a flag's value: a shell shows descriptions as they are.
func unquoteUsage(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	}
}

// refuseOtherShells makes an unknown shell an error, of which cobra prints the
// help.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd := subcommand(root, "completion")
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return fmt.Errorf("unknown shell %q: use %s", args[0], strings.Join(names(cmd), ", "))
	}
}

func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
	if i < 0 {
		return nil
	}
	return cmd.Commands()[i]
}

// names are those of a command's subcommands that are no secret.
func names(cmd *cobra.Command) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}
