package cli

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/mixin"
)

func newDashboard(Env) *cobra.Command {
	var settings ruleFlags
	var format, output, project, folder string
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Write a dashboard for Grafana or Perses",
		Long: `Write a dashboard of what retries cost, by dependency and by operation, for
Grafana or Perses. It needs the metrics only, not the recording rules; the
alerts of "retrystat rules" appear in it, and their thresholds are drawn in.`,
		Example: `  retrystat dashboard > retries.json
  retrystat dashboard --format perses --project shop | percli apply -f -
  retrystat dashboard --mixin vendor/retrykit`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folder != "" && (output != "" || cmd.Flags().Changed("format")) {
				return errors.New("--mixin writes a whole folder: it goes with neither --output nor --format")
			}
			if cmd.Flags().Changed("project") && (format != "perses" || folder != "") {
				return errors.New("--project goes with --format perses")
			}
			s, err := settings.settings(cmd.Flags())
			if err != nil {
				return err
			}
			if err := s.Scale(settings.timeScale); err != nil {
				return fmt.Errorf("--time-scale: %w", err)
			}
			if folder != "" {
				files, err := mixin.Files(s)
				if err != nil {
					return err
				}
				for _, path := range slices.Sorted(maps.Keys(files)) {
					if err := writeWhole(filepath.Join(folder, filepath.FromSlash(path)), files[path]); err != nil {
						return err
					}
				}
				return nil
			}
			var out bytes.Buffer
			switch format {
			case "grafana":
				err = dashboard.WriteGrafana(&out, s)
			case "perses":
				err = dashboard.WritePerses(&out, s, project)
			default:
				err = fmt.Errorf("unknown --format %q: use one of grafana, perses", format)
			}
			if err != nil {
				return err
			}
			if output != "" {
				return writeWhole(output, out.Bytes())
			}
			_, err = cmd.OutOrStdout().Write(out.Bytes())
			return err
		},
	}
	settings.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&format, "format", "f", "grafana", "output `format`: grafana, perses")
	flags.StringVarP(&output, "output", "o", "", "write to this `file` instead of standard output; missing folders are made")
	flags.StringVar(&project, "project", "default", "the Perses `project` that holds the dashboard")
	flags.StringVar(&folder, "mixin", "", "write rules, alerts, their tests and both dashboards into this `folder`, which is made if missing, to be vendored")
	return cmd
}
