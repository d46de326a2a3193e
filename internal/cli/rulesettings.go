package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// ruleFlags are the flags that change the settings of rules and dashboards.
// Each applies over the settings file, and only when it is given.
type ruleFlags struct {
	config     string
	timeScale  float64
	naming     string
	operations []string
	severities map[string]string
	given      rules.Settings
	thresholds rules.Thresholds
}

func (f *ruleFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.config, "config", "c", "", "read settings from this YAML `file`; \"retrystat rules --format settings\" prints one to start from")
	flags.StringVar(&f.naming, "naming", "", "the server's name `translation`: "+namingList())
	flags.BoolVar(&f.given.Native, "native-histograms", false, "histograms are stored as native ones")
	flags.StringArrayVar(&f.given.Selectors, "selector", nil, "`matcher` of every query, such as 'job=\"checkout\"'; repeatable")
	flags.StringSliceVar(&f.given.By, "by", nil, "`labels` to keep apart besides dependency and operation, such as cluster,job")
	flags.Var(durationFlag{&f.given.Window}, "window", "`window` of the figures (5m)")
	flags.StringArrayVar(&f.operations, "operation", nil, "only this operation, as `DEPENDENCY/OPERATION`; repeatable")
	flags.Float64Var(&f.timeScale, "time-scale", 1, "multiply every window and wait by this `factor`, to try things out faster")
}

// registerAlerts adds the flags that are about alerts.
func (f *ruleFlags) registerAlerts(cmd *cobra.Command) {
	flags := cmd.Flags()
	d := rules.Default()
	flags.Var(durationFlag{&f.given.Interval}, "interval", "evaluation `interval` of the groups (the server's own)")
	flags.StringSliceVar(&f.given.Off, "off", nil, "`alerts` not to write")
	flags.StringVar(&f.given.RunbookURL, "runbook-url", d.RunbookURL, "`URL` of the folder that holds the runbooks")
	flags.StringToStringVar(&f.given.Labels, "label", nil, "`label=value` of every alert; repeatable")
	flags.StringToStringVar(&f.severities, "severity", nil, "what to call the `severities`, such as page=critical,ticket=warning")
	threshold := func(to **float64, name, usage string, value *float64) {
		flags.Var(thresholdFlag{to}, name, fmt.Sprintf("%s (%v)", usage, *value))
	}
	threshold(&f.thresholds.MinRequestRate, "min-request-rate", "requests a second below which no alert fires", d.MinRequestRate)
	threshold(&f.thresholds.AttemptsTicket, "attempts-ticket", "attempts per request above which there is a ticket", d.AttemptsTicket)
	threshold(&f.thresholds.AttemptsPage, "attempts-page", "attempts per request above which there is a page", d.AttemptsPage)
	threshold(&f.thresholds.Objective, "first-attempt-success", "objective of first-attempt success, a share", d.Objective)
	threshold(&f.thresholds.MaskedFailure, "masked-failure", "share of the requests that only a retry saved", d.MaskedFailure)
	threshold(&f.thresholds.DeadlineShare, "deadline-share", "share of the requests that ran out of time", d.DeadlineShare)
	threshold(&f.thresholds.RetrySuccess, "retry-success", "share of the retried requests that should succeed", d.RetrySuccess)
	threshold(&f.thresholds.MinRetries, "min-retries", "retries per request below which their success does not matter", d.MinRetries)
	threshold(&f.thresholds.BudgetRejecting, "budget-rejections", "rejections a second by a retry budget", d.BudgetRejecting)
}

// settings are the defaults, then the settings file, then the flags. The time
// scale is not applied yet.
func (f *ruleFlags) settings(flags *pflag.FlagSet) (rules.Settings, error) {
	s := rules.Default()
	if f.config != "" {
		file, err := os.Open(f.config)
		if err != nil {
			return s, fmt.Errorf("--config: %w", err)
		}
		defer file.Close()
		if err := s.Read(file); err != nil {
			return s, fmt.Errorf("%s: %w", f.config, err)
		}
	}
	if f.naming != "" {
		naming, err := promname.Parse(f.naming)
		if err != nil {
			return s, fmt.Errorf("--naming: %w", err)
		}
		s.Naming = naming
	}
	for name, set := range map[string]func(){
		"native-histograms": func() { s.Native = f.given.Native },
		"selector":          func() { s.Selectors = f.given.Selectors },
		"by":                func() { s.By = f.given.By },
		"window":            func() { s.Window = f.given.Window },
		"interval":          func() { s.Interval = f.given.Interval },
		"off":               func() { s.Off = f.given.Off },
		"runbook-url":       func() { s.RunbookURL = f.given.RunbookURL },
		"label":             func() { s.Labels = f.given.Labels },
	} {
		if flags.Changed(name) {
			set()
		}
	}
	for severity, name := range f.severities {
		if severity != rules.Page && severity != rules.Ticket {
			return s, fmt.Errorf("--severity: there is no severity %q: name page or ticket", severity)
		}
		s.Severities[severity] = name
	}
	s.Thresholds = f.thresholds.Over(s.Thresholds)
	if err := f.only(&s); err != nil {
		return s, err
	}
	return s, s.Validate()
}

// only keeps the operations that --operation names, with the thresholds that
// the settings file gives them.
func (f *ruleFlags) only(s *rules.Settings) error {
	if len(f.operations) == 0 {
		return nil
	}
	var kept []rules.Operation
	for _, name := range f.operations {
		dependency, operation, ok := strings.Cut(name, "/")
		if !ok || dependency == "" || operation == "" {
			return fmt.Errorf("--operation %q: write it as DEPENDENCY/OPERATION", name)
		}
		op := rules.Operation{Dependency: dependency, Operation: operation}
		for _, known := range s.Operations {
			if known.Dependency == dependency && known.Operation == operation {
				op = known
			}
		}
		kept = append(kept, op)
	}
	s.Operations, s.Only = kept, true
	return nil
}

func namingList() string {
	var names []string
	for _, n := range promname.All() {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// durationFlag reads a duration as Prometheus writes it, such as 5m or 1d.
type durationFlag struct{ to *model.Duration }

func (d durationFlag) String() string {
	if d.to == nil || *d.to == 0 {
		return ""
	}
	return d.to.String()
}

func (d durationFlag) Set(text string) error {
	v, err := model.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%w; write it as 30s, 5m or 1d", err)
	}
	*d.to = v
	return nil
}

func (d durationFlag) Type() string { return "duration" }

// thresholdFlag reads a number, and keeps apart whether it was given.
type thresholdFlag struct{ to **float64 }

func (t thresholdFlag) String() string {
	if t.to == nil || *t.to == nil {
		return ""
	}
	return fmt.Sprint(**t.to)
}

func (t thresholdFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return errors.New("it must be a number")
	}
	*t.to = &v
	return nil
}

func (t thresholdFlag) Type() string { return "number" }
