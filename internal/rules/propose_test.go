package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/rules"
	"github.com/retrykit/retrykit/internal/summary"
)

// measured is an hour of an operation.
func measured(requests, attemptsPerRequest, first, eventual float64) *summary.Summary {
	start := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	end := start.Add(time.Hour)
	return &summary.Summary{
		Window: summary.Window{Start: &start, End: &end},
		Operations: []summary.Operation{{Dependency: "payments", Operation: "charge", Figures: summary.Figures{
			Requests: &requests, AttemptsPerRequest: &attemptsPerRequest, FirstAttemptSuccess: &first, EventualSuccess: &eventual,
			FirstAttemptRange: &[2]float64{first - 0.0001, min(1, first+0.0001)}, DeadlineExhaustions: f(0),
			Retried: map[string]float64{"503": 10}, Saved: map[string]float64{"503": 9},
		}}},
	}
}

func TestPropose(t *testing.T) {
	tests := map[string]struct {
		in   *summary.Summary
		base func(*rules.Settings)
		want rules.Thresholds
		why  []string
	}{
		"a healthy operation gets tighter limits": {
			in:   measured(360_000, 1.001, 0.9991, 0.9999),
			want: rules.Thresholds{AttemptsTicket: f(1.02), AttemptsPage: f(1.04), Objective: f(0.995), MaskedFailure: f(0.01), DeadlineShare: f(0.002)},
			why: []string{
				"min_request_rate stays 1: it has 100 requests/s",
				"attempts_ticket 1.02 instead of 1.1, attempts_page 1.04 instead of 1.2: 1.001 attempts per request were measured",
				"first_attempt_success 0.995 instead of 0.99: 99.91 % was measured, at least 99.9 % with 95 % confidence",
				"masked_failure 0.01 instead of 0.05: 0.08 % was measured",
				"retry_success stays 0.5: 90 % of 10 retried requests were saved",
			},
		},
		"a bad one keeps its limits, and its alerts fire": {
			in:   measured(360_000, 1.4, 0.8, 0.95),
			want: rules.Thresholds{DeadlineShare: f(0.002)},
			why: []string{
				"attempts_ticket stays 1.1, and its alert fires: 1.4 attempts per request were measured",
				"first_attempt_success stays 0.99, and its budget burns 20 times as fast as it lasts: 80 % was measured",
				"masked_failure stays 0.05, and its alert fires: 15 % was measured",
			},
		},
		"a quiet one gets a lower guard": {
			in:   measured(1800, 1.001, 0.9991, 0.9999),
			want: rules.Thresholds{MinRequestRate: f(0.25), AttemptsTicket: f(1.07), AttemptsPage: f(1.14), Objective: f(0.995), MaskedFailure: f(0.01), DeadlineShare: f(0.002)},
			why:  []string{"min_request_rate 0.25 instead of 1: it has 0.5 requests/s"},
		},
		"one without traffic is told to widen the window": {
			in: func() *summary.Summary {
				s := measured(1800, 1.4, 0.8, 0.95)
				end := s.Window.Start.Add(24 * time.Hour)
				s.Window.End = &end
				return s
			}(),
			want: rules.Thresholds{DeadlineShare: f(0.002)},
			why:  []string{"its alerts never fire: 0.0208 requests/s are fewer than 30 in a window of 5m; use a window of 48m0s"},
		},
		"few requests propose nothing": {
			in: measured(999, 1.4, 0.8, 0.95), want: rules.Thresholds{}, why: []string{"999 requests are too few to judge by (1000 are needed)"},
		},
		"thresholds of one's own stay": {
			in: measured(360_000, 1.001, 0.9991, 0.9999),
			base: func(s *rules.Settings) {
				s.Operations = []rules.Operation{{Dependency: "payments", Operation: "charge", Thresholds: rules.Thresholds{
					AttemptsPage: f(2), Objective: f(0.95), MaskedFailure: f(0.5), DeadlineShare: f(0.5), MinRequestRate: f(5),
				}}}
			},
			want: rules.Thresholds{AttemptsPage: f(2), Objective: f(0.95), MaskedFailure: f(0.5), DeadlineShare: f(0.5), MinRequestRate: f(5)},
		},
		"what was not measured is not proposed": {
			in: &summary.Summary{Operations: []summary.Operation{
				{Dependency: "payments", Operation: "charge", Figures: summary.Figures{Requests: f(5000)}},
				{Dependency: "search", Operation: "find"},
			}},
			want: rules.Thresholds{},
			why: []string{
				"payments/charge: attempts per request were not measured", "first-attempt success was not measured",
				"what retries hide was not measured", "exhausted deadlines were not measured", "no retried request was measured",
				"search/find: the number of requests is not known",
			},
		},
		"nothing measured": {in: &summary.Summary{}, why: []string{"nothing measured: every threshold stays"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			base := rules.Default()
			if tt.base != nil {
				tt.base(&base)
			}
			got, reasons := rules.Propose(base, tt.in)
			require.NoError(t, got.Validate())
			_, err := rules.Build(got)
			require.NoError(t, err)
			if tt.want == (rules.Thresholds{}) {
				assert.Empty(t, got.Operations)
			} else {
				require.Len(t, got.Operations, 1)
				assert.Equal(t, tt.want, got.Operations[0].Thresholds)
			}
			text := strings.Join(reasons, "\n")
			for _, why := range tt.why {
				assert.Contains(t, text, why)
			}
		})
	}
}
