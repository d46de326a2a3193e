package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/promapi"
	"github.com/retrykit/retrykit/internal/rules"
)

// rulesCommand is what `retrystat rules` was asked for.
type rulesCommand struct {
	env      Env
	settings ruleFlags
	format   string
	output   string
	tests    bool
	from     []string
	server   sourceFlags
	keep     bool
	object   rules.Object
}

func newRules(env Env) *cobra.Command {
	c := &rulesCommand{env: env}
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Write Prometheus recording rules and alerts",
		Long: `Write Prometheus recording rules that give the figures plain names, such as
retry:attempts_per_request:ratio_rate5m, and alerts that ask them.

With --from or --prometheus, thresholds are proposed from what was measured, and
the reasons are written above the rules. A proposal is never looser than the
default: a limit that was exceeded stays, and its alert fires.`,
		Example: `  retrystat rules > retry.rules.yaml
  retrystat rules -o rules/retry.yaml --tests && promtool test rules rules/retry_test.yaml
  retrystat rules --format prometheusrule --namespace monitoring | kubectl apply -f -
  retrystat rules --from telemetry/ --format settings > retry.yaml`,
		Args: noArguments,
		RunE: c.run,
	}
	c.settings.register(cmd)
	c.settings.registerAlerts(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&c.format, "format", "f", "rules", "output `format`: rules, prometheusrule (Kubernetes), settings (what --config reads)")
	flags.StringVarP(&c.output, "output", "o", "", "write to this `file` instead of standard output; missing folders are made")
	flags.BoolVar(&c.tests, "tests", false, "write promtool unit tests beside the output file")
	flags.StringArrayVar(&c.from, "from", nil, "propose thresholds from the telemetry in this `file` or directory; repeatable")
	flags.StringVar(&c.server.connection.URL, "prometheus", "", "find the naming out from the Prometheus server at this `URL`, and propose thresholds from what it has")
	durationVar(flags, &c.server.window, "lookback", 24*time.Hour, "with --prometheus: how far back to measure")
	flags.BoolVar(&c.keep, "no-proposals", false, "with --prometheus: find out the naming only")
	c.server.registerConnection(cmd)
	flags.StringVar(&c.object.Name, "name", "retrykit", "`name` of the PrometheusRule")
	flags.StringVar(&c.object.Namespace, "namespace", "", "`namespace` of the PrometheusRule")
	flags.StringToStringVar(&c.object.Labels, "object-label", nil, "`label=value` of the PrometheusRule, for the operator's ruleSelector; repeatable")
	return cmd
}

func (c *rulesCommand) run(cmd *cobra.Command, _ []string) error {
	if err := c.check(cmd); err != nil {
		return err
	}
	s, err := c.settings.settings(cmd.Flags())
	if err != nil {
		return err
	}
	remarks := []string{"Written by retrystat rules."}
	if s, remarks, err = c.measure(cmd, s, remarks); err != nil {
		return err
	}
	if err := s.Scale(c.settings.timeScale); err != nil {
		return fmt.Errorf("--time-scale: %w", err)
	}
	var out, tests bytes.Buffer
	if err := c.write(&out, s, remarks); err != nil {
		return err
	}
	if c.tests {
		remarks := []string{"Written by retrystat rules, for promtool test rules."}
		if err := rules.WriteUnitTests(&tests, s, []string{filepath.Base(c.output)}, remarks); err != nil {
			return err
		}
	}
	if c.output == "" {
		_, err := cmd.OutOrStdout().Write(out.Bytes())
		return err
	}
	if err := writeWhole(c.output, out.Bytes()); err != nil {
		return err
	}
	if c.tests {
		return writeWhole(testPath(c.output), tests.Bytes())
	}
	return nil
}

func (c *rulesCommand) check(cmd *cobra.Command) error {
	switch c.format {
	case "rules", "prometheusrule", "settings":
	default:
		return fmt.Errorf("unknown --format %q: use one of rules, prometheusrule, settings", c.format)
	}
	if c.tests && c.output == "" {
		return errors.New("--tests writes a second file beside the rules: name the first with --output")
	}
	if c.tests && c.format != "rules" {
		return errors.New("--tests goes with --format rules: promtool reads nothing else")
	}
	if c.format != "prometheusrule" {
		for _, name := range []string{"name", "namespace", "object-label"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s goes with --format prometheusrule", name)
			}
		}
	}
	if len(c.from) > 0 && c.server.connection.URL != "" {
		return errors.New("--from and --prometheus exclude each other: thresholds come from one of them")
	}
	if c.server.connection.URL == "" {
		for _, name := range append([]string{"lookback", "no-proposals"}, connectionFlags...) {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s goes with --prometheus, which is not given", name)
			}
		}
		return nil
	}
	if c.server.window < time.Millisecond {
		return fmt.Errorf("--lookback %s must be 1ms or more", c.server.window)
	}
	if c.server.connection.Timeout <= 0 {
		return fmt.Errorf("--timeout %s must be more than 0", c.server.connection.Timeout)
	}
	return nil
}

func (c *rulesCommand) write(w io.Writer, s rules.Settings, remarks []string) error {
	if c.format == "settings" {
		return s.Write(w, remarks)
	}
	file, err := rules.Build(s)
	if err != nil {
		return err
	}
	if c.format == "prometheusrule" {
		return file.WritePrometheusRule(w, c.object, remarks)
	}
	return file.Write(w, remarks)
}

// measure proposes thresholds from files or a server, if any is named.
func (c *rulesCommand) measure(cmd *cobra.Command, s rules.Settings, remarks []string) (rules.Settings, []string, error) {
	switch {
	case len(c.from) > 0:
		var read readFlags
		measured, readErr := readFiles(cmd.Context(), c.from, c.env, &read)
		if measured == nil {
			return s, nil, readErr
		}
		if measured.Interrupted {
			return s, nil, errors.New("interrupted while reading what to propose from: nothing was written")
		}
		if err := read.verdict(measured, readErr, cmd.ErrOrStderr()); err != nil {
			return s, nil, err
		}
		var reasons []string
		s, reasons = rules.Propose(s, measured)
		remarks = append(remarks, "", "Thresholds proposed from "+strings.Join(c.from, ", ")+":")
		for _, skipped := range measured.Input.Skipped {
			remarks = append(remarks, fmt.Sprintf("- without %d x %s, first at %s", skipped.Count, skipped.Reason, skipped.Example))
		}
		remarks = append(remarks, bullets(reasons)...)
	case c.server.connection.URL != "":
		return c.ask(cmd, s, remarks)
	}
	return s, remarks, nil
}

// ask finds out from a server how it names the metrics, and what to propose.
func (c *rulesCommand) ask(cmd *cobra.Command, s rules.Settings, remarks []string) (rules.Settings, []string, error) {
	var err error
	if c.server.connection.BearerToken, err = c.server.token(); err != nil {
		return s, nil, err
	}
	now := time.Now()
	url := c.server.connection.Name()
	if c.settings.naming == "" {
		naming, native, err := promapi.Naming(cmd.Context(), c.server.connection, c.server.window, now)
		if err != nil {
			return s, nil, unanswered(cmd.Context(), err)
		}
		s.Naming = naming
		if !cmd.Flags().Changed("native-histograms") {
			s.Native = native
		}
		remarks = append(remarks, "", "Names as "+url+" has them: "+string(naming)+".")
	}
	if c.keep {
		return s, remarks, nil
	}
	o := promapi.Options{
		Connection: c.server.connection, Window: c.server.window, End: now, Naming: s.Naming, Matchers: s.Selectors,
	}
	if s.Only {
		for _, op := range s.Operations {
			o.Dependency, o.Operation = append(o.Dependency, op.Dependency), append(o.Operation, op.Operation)
		}
	}
	measured, err := promapi.Summarise(cmd.Context(), o)
	if err != nil {
		return s, nil, unanswered(cmd.Context(), err)
	}
	s, reasons := rules.Propose(s, measured)
	remarks = append(remarks, "", fmt.Sprintf("Thresholds proposed from the %s until %s that %s has:", c.server.window, now.UTC().Format(time.RFC3339), url))
	return s, append(remarks, bullets(reasons)...), nil
}

func bullets(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "- " + line
	}
	return out
}

// testPath is where the unit tests of a rule file are: retry.yaml has
// retry_test.yaml.
func testPath(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "_test" + ext
}
