package rules_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

func TestDefaultIsValid(t *testing.T) {
	s := rules.Default()
	require.NoError(t, s.Validate())
}

func TestReadKeepsWhatIsNotNamed(t *testing.T) {
	s := rules.Default()
	require.NoError(t, s.Read(strings.NewReader(`
naming: notranslation
window: 10m
thresholds: {attempts_ticket: 1.05}
for: {attempts_page: 1m}
severities: {page: critical}
burn: [{long: 2h, short: 10m, factor: 10, severity: page}]
operations:
  - {dependency: payments, operation: charge, attempts_page: 2}
`)))
	want := rules.Default()
	want.Naming = promname.NoTranslation
	want.Window = model.Duration(10 * time.Minute)
	want.AttemptsTicket = f(1.05)
	want.For.AttemptsPage = model.Duration(time.Minute)
	want.Severities = map[string]string{"page": "critical", "ticket": "ticket"}
	want.Burn = []rules.BurnWindow{{Long: model.Duration(2 * time.Hour), Short: model.Duration(10 * time.Minute), Factor: 10, Severity: "page"}}
	want.Operations = []rules.Operation{{Dependency: "payments", Operation: "charge", Thresholds: rules.Thresholds{AttemptsPage: f(2)}}}
	assert.Equal(t, want, s)
	assert.NoError(t, s.Validate())
}

func TestSettingsReadWhatTheyWrite(t *testing.T) {
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			want := settings(change)
			var text bytes.Buffer
			require.NoError(t, want.Write(&text, []string{"Settings."}))
			got := rules.Default()
			require.NoError(t, got.Read(&text))
			assert.Equal(t, want, got)
		})
	}
}

func TestReadAfterAByteOrderMark(t *testing.T) {
	s := rules.Default()
	require.NoError(t, s.Read(strings.NewReader("\ufeffwindow: 7m\r\n")))
	assert.Equal(t, model.Duration(7*time.Minute), s.Window)
}

func TestReadRefuses(t *testing.T) {
	tests := map[string]struct{ yaml, want string }{
		"an unknown name":       {"treshold: 1", `line 1: unknown key "treshold": did you mean thresholds?`},
		"an unknown threshold":  {"thresholds: {atempts: 1}", `line 1: unknown key "atempts"`},
		"a misspelt threshold":  {"\n\nthresholds: {atempts_page: 1}", `line 3: unknown key "atempts_page": did you mean attempts_page?`},
		"no number":             {"thresholds: {attempts_page: many}", `line 1: expected a number, and found "many"`},
		"no list":               {"off: {a: b}", `line 1: expected a list, and found keys with values`},
		"no keys":               {"burn: [1]", `line 1: expected keys with values, and found "1"`},
		"two errors":            {"wndow: 1\nonly_these_operations: perhaps", "line 1: unknown key \"wndow\": did you mean window?\nline 2: expected true or false, and found \"perhaps\""},
		"two documents":         {"window: 5m\n---\nwindow: 6m", "more than one YAML document"},
		"a bad duration":        {"window: fast", "fast"},
		"a bad translation":     {"naming: Dots", `unknown name translation "Dots"`},
		"what is no YAML":       {"\t{", "read settings"},
		"too much":              {"window: 7m #" + strings.Repeat("x", 1<<20), "longer than 1 MiB"},
		"a list for a settings": {"- a", "line 1: expected keys with values, and found a list"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := rules.Default()
			err := s.Read(strings.NewReader(tt.yaml))
			require.ErrorContains(t, err, tt.want)
			assert.NotContains(t, err.Error(), "rules.", "it speaks of the file")
			assert.Equal(t, rules.Default(), s, "settings are as they were")
		})
	}
}

func TestValidateSaysWhatIsWrong(t *testing.T) {
	tests := map[string]struct {
		change func(*rules.Settings)
		want   string
	}{
		"selector":        {func(s *rules.Settings) { s.Selectors = []string{"job=checkout"} }, `selector "job=checkout": write it as label="value"`},
		"selector regexp": {func(s *rules.Settings) { s.Selectors = []string{`job=~"("`} }, "missing closing )"},
		"by":              {func(s *rules.Settings) { s.By = []string{"le"} }, `by "le"`},
		"by two at once":  {func(s *rules.Settings) { s.By = []string{"a b"} }, `by "a b"`},
		"by nothing":      {func(s *rules.Settings) { s.By = []string{""} }, `by ""`},
		"label":           {func(s *rules.Settings) { s.Labels = map[string]string{"severity": "x"} }, `label "severity"`},
		"window":          {func(s *rules.Settings) { s.Window = 0 }, "window 0s"},
		"short window":    {func(s *rules.Settings) { s.Window = model.Duration(time.Millisecond) }, "window 1ms: it must be a second at least"},
		"burn order":      {func(s *rules.Settings) { s.Burn[0].Short = s.Burn[0].Long }, "the long one must be longer"},
		"burn twice":      {func(s *rules.Settings) { s.Burn[1].Long = s.Burn[0].Long }, "it is there twice"},
		"burn factor":     {func(s *rules.Settings) { s.Burn[0].Factor = 0 }, "the factor 0"},
		"burn severity":   {func(s *rules.Settings) { s.Burn[0].Severity = "bad" }, `severity "bad"`},
		"burn too fast":   {func(s *rules.Settings) { s.Objective = f(0.9) }, "more than all requests"},
		"ticket over":     {func(s *rules.Settings) { s.AttemptsTicket = f(1.3) }, "attempts_page is 1.2: it must be more than attempts_ticket, 1.3"},
		"objective":       {func(s *rules.Settings) { s.Objective = f(99) }, "first_attempt_success is 99: it must be from 0.5 to 0.99999"},
		"missing":         {func(s *rules.Settings) { s.MaskedFailure = nil }, "masked_failure is missing"},
		"off":             {func(s *rules.Settings) { s.Off = []string{"Nothing"} }, `there is no alert "Nothing"`},
		"severity":        {func(s *rules.Settings) { s.Severities = map[string]string{"page": "a", "ticket": "a"} }, "could not be told apart"},
		"no severity":     {func(s *rules.Settings) { s.Severities = nil }, "severity page has no name"},
		"runbook":         {func(s *rules.Settings) { s.RunbookURL = "runbooks" }, "must be a complete URL"},
		"only none":       {func(s *rules.Settings) { s.Only = true }, "none is named"},
		"unnamed":         {func(s *rules.Settings) { s.Operations = []rules.Operation{{Dependency: "a"}} }, `operation "a/"`},
		"operation twice": {func(s *rules.Settings) {
			op := rules.Operation{Dependency: "a", Operation: "b"}
			s.Operations = []rules.Operation{op, op}
		}, "operation a/b: it is there twice"},
		"operation page": {func(s *rules.Settings) {
			s.Operations = []rules.Operation{{Dependency: "a", Operation: "b", Thresholds: rules.Thresholds{AttemptsPage: f(1.05)}}}
		}, "operation a/b: attempts_page is 1.05: it must be more than attempts_ticket, 1.1"},
		"operation budget": {func(s *rules.Settings) {
			s.Operations = []rules.Operation{{Dependency: "a", Operation: "b", Thresholds: rules.Thresholds{BudgetRejecting: f(1)}}}
		}, "per dependency, not per operation"},
		"operation off": {func(s *rules.Settings) {
			s.Operations = []rules.Operation{{Dependency: "a", Operation: "b", Off: []string{rules.RetryBudgetRejecting}}}
		}, `off: "RetryBudgetRejecting" is not one of`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := settings(tt.change)
			require.ErrorContains(t, s.Validate(), tt.want)
			_, err := rules.Build(s)
			assert.Error(t, err)
		})
	}
}

func TestScale(t *testing.T) {
	s := rules.Default()
	require.NoError(t, s.Scale(0.01))
	assert.Equal(t, model.Duration(3*time.Second), s.Window)
	assert.Equal(t, model.Duration(6*time.Second), s.For.AttemptsTicket)
	assert.Equal(t, model.Duration(36*time.Second), s.Burn[0].Long)
	assert.Equal(t, model.Duration(0), s.Interval, "what is not set stays so")
	assert.Equal(t, model.Duration(time.Hour), rules.Default().Burn[0].Long)
	require.NoError(t, s.Scale(1e-9))
	assert.Equal(t, model.Duration(time.Second), s.Window, "none below a second")
	assert.ErrorContains(t, s.Scale(0), "must be more than 0")
	assert.ErrorContains(t, s.Scale(-1), "must be more than 0")
}

func TestUnitTestsNeedLabelsThatFulfilTheSelectors(t *testing.T) {
	s := rules.Default()
	s.Selectors = []string{`job=~"[a-c]{3}[0-9]+"`}
	assert.ErrorContains(t, rules.WriteUnitTests(&bytes.Buffer{}, s, []string{"rules.yaml"}, nil), "no label value found")
}
