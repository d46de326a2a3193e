package rules

import (
	"slices"
	"time"

	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/figures"
)

// slowInterval is how often windows of a day and more are evaluated: they
// change little in that time, and it is below the five minutes after which
// Prometheus takes a series for gone.
const slowInterval = model.Duration(2 * time.Minute)

// Build turns settings into rules. The settings must be valid.
func Build(s Settings) (File, error) {
	if err := s.Validate(); err != nil {
		return File{}, err
	}
	f := File{Groups: []Group{{Name: "retry_figures", Interval: s.Interval, Rules: s.recordings()}}}
	if !slices.Contains(s.Off, FirstAttemptSuccessBurn) {
		f.Groups = append(f.Groups, s.burnRecordings()...)
	}
	if alerts := s.alerts(); len(alerts) > 0 {
		f.Groups = append(f.Groups, Group{Name: "retry_alerts", Interval: s.Interval, Rules: alerts})
	}
	return f, nil
}

// recordings are all figures over the settings' window.
func (s *Settings) recordings() []Rule {
	var out []Rule
	for _, f := range figures.Table() {
		out = append(out, s.record(f.ID, s.Window))
	}
	return out
}

// burnRecordings are first-attempt success over the windows of the burn
// rates, and the request rates that guard them, one group for each window.
func (s *Settings) burnRecordings() []Group {
	short := map[model.Duration]bool{}
	windows := []model.Duration{}
	for _, b := range s.Burn {
		short[b.Short] = true
		windows = append(windows, b.Long, b.Short)
	}
	slices.Sort(windows)
	var out []Group
	for _, window := range slices.Compact(windows) {
		if window == s.Window {
			continue // among the figures
		}
		group := Group{Name: "retry_burn_" + window.String(), Interval: s.Interval}
		if window >= model.Duration(24*time.Hour) && s.Interval == 0 {
			group.Interval = slowInterval
		}
		group.Rules = append(group.Rules, s.record("first_attempt_success", window))
		if short[window] {
			group.Rules = append(group.Rules, s.record("requests", window))
		}
		out = append(out, group)
	}
	return out
}

func (s *Settings) record(id string, window model.Duration) Rule {
	f := figure(id)
	return Rule{Record: f.RecordName(window.String()), Expr: f.PromQL(s.query(window))}
}

// figure returns a figure that this package names itself.
func figure(id string) figures.Figure {
	f, ok := figures.Find(id)
	if !ok {
		panic("rules: no figure " + id)
	}
	return f
}
