package threshold_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/threshold"
)

func TestParse(t *testing.T) {
	tests := map[string]threshold.Threshold{
		"attempts_per_request<1.2":                     {Figure: "attempts_per_request", Op: "<", Value: 1.2},
		"payments/charge:first_attempt_success >= 99%": {Figure: "first_attempt_success", Op: ">=", Value: 0.99, Unit: threshold.Percent, Dependency: "payments", Operation: "charge"},
		"*:added_latency_p95<=250ms":                   {Figure: "added_latency_p95", Op: "<=", Value: 0.25, Unit: threshold.Milliseconds, Each: true},
		"payments:deadline_share<1.1%":                 {Figure: "deadline_share", Op: "<", Value: 0.011, Unit: threshold.Percent, Dependency: "payments", Each: true},
		"retry_ratio_by_class[503]<0.05":               {Figure: "retry_ratio_by_class", Class: "503", Op: "<", Value: 0.05},
		"retry_ratio_by_class[a:b]<5%":                 {Figure: "retry_ratio_by_class", Class: "a:b", Op: "<", Value: 0.05, Unit: threshold.Percent},
		"a[1]:b : retry_ratio_by_class [x[y]] < 5%":    {Figure: "retry_ratio_by_class", Class: "x[y]", Op: "<", Value: 0.05, Unit: threshold.Percent, Dependency: "a[1]:b", Each: true},
		"*/charge:attempts<5":                          {Figure: "attempts", Op: "<", Value: 5, Operation: "charge", Each: true},
		"*/GET /v1/*:attempts<5":                       {Figure: "attempts", Op: "<", Value: 5, Operation: "GET /v1/*", Each: true},
		"payments/*:attempts<5":                        {Figure: "attempts", Op: "<", Value: 5, Dependency: "payments", Each: true},
		"*/*:attempts<5":                               {Figure: "attempts", Op: "<", Value: 5, Each: true},
	}
	for text, want := range tests {
		got, err := threshold.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"attempts_per_request":        "one of <, <=, > and >=",
		"attempts_per_request==1":     "[SUBJECT:]FIGURE",
		"attempt_per_request<1":       "unknown figure",
		"attempts_per_request<many":   "is no number",
		"attempts_per_request<NaN":    "is no number",
		"attempts_per_request[503]<1": "has no classes",
		"retry_ratio_by_class<1":      "name one",
		"attempts_in_flight<3":        "unknown figure",
		"attempts_per_reqest<1":       "did you mean attempts_per_request?",
		"attempts_per_request<":       "the value is missing",
		"attempts_per_request<5ms":    "figure attempts_per_request is a number per request, which can't be in ms: its value may have the unit %",
		"first_attempt_success>=99ms": "is a share from 0 to 1, which can't be in ms",
		"added_latency_p95<5%":        "is a time in seconds, which can't be in %: its value has the unit s or ms",
		"requests>5s":                 "is a count, which can't be in s: its value has no unit",
		"first_attempt_success>=99":   "is a share from 0 to 1: did you mean 99%?",
		"first_attempt_success>=101%": "101% is more than 100%",
		"first_attempt_success>=990":  "and 990 is more",
		"attempts>-1":                 "never negative",
		"attempts<Inf":                "not finite",
		":attempts<1":                 "subject before the colon is missing",
		"payments/:attempts<1":        "is no subject",
		"/charge:attempts<1":          "is no subject",
		"retry_ratio_by_class[]<1":    "between the brackets is missing",
		"retry_ratio_by_class[503<1":  "is no [SUBJECT:]FIGURE",
		"retry_ratio_by_class503]<1":  "is no [SUBJECT:]FIGURE",
		"retry_ratio_by_class[ 5]<1":  "can't be an error class",
	} {
		_, err := threshold.Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func TestParseYAMLAfterAByteOrderMark(t *testing.T) {
	got, err := threshold.ParseYAML(strings.NewReader("\ufeffthresholds: [attempts<1]\r\n"))
	require.NoError(t, err)
	assert.Equal(t, []threshold.Threshold{{Figure: "attempts", Op: "<", Value: 1}}, got.Thresholds)
}

func TestParseYAML(t *testing.T) {
	got, err := threshold.ParseYAML(strings.NewReader(`
thresholds:
  - attempts_per_request < 1.2
  - {figure: eventual_success, op: ">", value: 99.9%, dependency: payments, operation: charge}
  - {figure: retry_ratio_by_class, class: 503, op: <, value: .1, each: true}
classes: ["*shop.StockError"]
`))
	require.NoError(t, err)
	assert.Equal(t, threshold.Config{
		Thresholds: []threshold.Threshold{
			{Figure: "attempts_per_request", Op: "<", Value: 1.2},
			{Figure: "eventual_success", Op: ">", Value: 0.999, Unit: threshold.Percent, Dependency: "payments", Operation: "charge"},
			{Figure: "retry_ratio_by_class", Class: "503", Op: "<", Value: 0.1, Each: true},
		},
		Classes: []string{"*shop.StockError"},
	}, got)
	for text, want := range map[string]string{
		"":                       "no thresholds: the file is empty",
		"\ufeff":                 "no thresholds: a byte order mark is all there is in the file",
		"\ufeff\n":               "no thresholds: a byte order mark is all there is in the file",
		"\ufeff# a < b":          "no thresholds: expected a list under the key thresholds, and found nothing but white space and comments",
		" \n":                    "nothing but white space and comments",
		"---\n":                  "expected the file to be a mapping with the keys thresholds, classes",
		"limits: []":             `line 1: unknown key "limits": use thresholds, classes`,
		"- attempts<1":           "expected the file to be a mapping with the keys thresholds, classes",
		"thresholds: attempts<1": "expected a list under the key thresholds",
		"thresholds: [[a]]":      "expected a threshold to be a mapping",
		"thresholds: [{figure: attempts, op: <, value: 1, dependancy: a}]":     `line 1: unknown key "dependancy": use figure, class`,
		"thresholds: [{figure: attempts, op: <}]":                              "value is missing",
		"thresholds: [{figure: attempts, value: 1}]":                           "op is missing",
		"thresholds: [{figure: attempts, op: <, value: 1, value: 2}]":          "twice",
		"thresholds: [{figure: attempts, op: '=', value: 1}]":                  "unknown comparison",
		"thresholds: [{figure: attempts, op: <, value: [1]}]":                  "value must be a text or a number",
		"thresholds: [{figure: attempts, op: <, value: 1, operation: charge}]": "an operation needs its dependency",
		"thresholds: [{figure: attempts, op: <, value: 1, each: maybe}]":       "each must be true or false",
		"thresholds: [attempts<1]\n---\nthresholds: [attempts<1]":              "more than one YAML document",
		"thresholds: [attempts<1]\nclasses: [{}]":                              "an error class must be a text",
		"thresholds: [attempts<1] #" + strings.Repeat(" ", 1<<20):              "longer than",
		"thresholds: []":    "no thresholds",
		"thresholds: [a<1]": "line 1",
		"thresholds: [{figure: x, op: <, value: 1}]": "unknown figure",
	} {
		_, err := threshold.ParseYAML(strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
		assert.LessOrEqual(t, strings.Count(err.Error(), "line "), 1, err)
	}
}

func TestWhatIsMissingFails(t *testing.T) {
	one := 1.1
	s := &summary.Summary{
		Operations: []summary.Operation{{Dependency: "a", Operation: "b", Figures: summary.Figures{AttemptsPerRequest: &one}}},
	}
	check := func(text string) threshold.Result {
		th, err := threshold.Parse(text)
		require.NoError(t, err)
		results := threshold.Check(s, threshold.Config{Thresholds: []threshold.Threshold{th}})
		require.Len(t, results, 1)
		return results[0]
	}
	assert.True(t, check("*:attempts_per_request<1.2").Passed)
	assert.False(t, check("a/b:attempts_per_request<1.05").Passed)
	assert.False(t, check("attempts_per_request<1.2").Passed, "the total is not known")
	assert.False(t, check("a/b:eventual_success>0").Passed, "not measured")
	assert.False(t, check("x/y:attempts_per_request<9").Passed, "no such operation")
	assert.Nil(t, check("x/y:attempts_per_request<9").Value)
}

func TestAThresholdIsShownAsItWasWritten(t *testing.T) {
	for text, want := range map[string]string{
		"deadline_share<1.1%":                  "deadline_share < 1.1%",
		"added_latency_p95<3s":                 "added_latency_p95 < 3s",
		"added_latency_p95<=2.5ms":             "added_latency_p95 <= 2.5ms",
		"attempts_per_request>=1.2":            "attempts_per_request >= 1.2",
		"x/y:retry_ratio_by_class[503] < 0.05": "retry_ratio_by_class[503] < 0.05",
	} {
		th, err := threshold.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, th.String())
	}
	assert.Equal(t, "78.6802%", threshold.Percent.Text(0.786802, 6))
}

func TestNamesThatWereNotMeasured(t *testing.T) {
	n := 10.0
	counted := summary.Figures{Requests: &n, RetriesByClass: map[string]float64{"503": 1, "*shop.StockError": 2}, RetrySuccessByClass: map[string]float64{"503": 1}}
	op := func(dependency, operation string) summary.Operation {
		return summary.Operation{Dependency: dependency, Operation: operation, Figures: counted}
	}
	s := &summary.Summary{Total: counted, Operations: []summary.Operation{
		op("payments", "charge"), op("payments", "refund"), op("stock", "charge"), op("dns:///payments:443", "shop.Payments/Charge"), op("limits", ""),
	}}
	for text, want := range map[string]struct {
		subjects string // with what was found; "-" where it was not measured
		hint     string
	}{
		"payments/charge:requests<11":                          {"payments/charge=10", ""},
		"payments:requests<11":                                 {"payments/charge=10 payments/refund=10", ""},
		"payments/*:requests<11":                               {"payments/charge=10 payments/refund=10", ""},
		"*/charge:requests<11":                                 {"payments/charge=10 stock/charge=10", ""},
		"dns:///payments:443/shop.Payments/Charge:requests<11": {"dns:///payments:443/shop.Payments/Charge=10", ""},
		"dns:///payments:443:requests<11":                      {"dns:///payments:443/shop.Payments/Charge=10", ""},
		"limits:requests<11":                                   {"limits=10", ""},
		"payments/chrage:requests<11":                          {"payments/chrage=-", "payments/chrage was not measured; did you mean payments/charge?"},
		"paymets:requests<11":                                  {"paymets=-", "did you mean payments?"},
		"Payments:requests<11":                                 {"Payments=-", "did you mean payments?"},
		"*/charg:requests<11":                                  {"*/charg=-", "did you mean */charge?"},
		"nothing-like-it/x:requests<11":                        {"nothing-like-it/x=-", "what was read is about dns:///payments:443/shop.Payments/Charge, limits, payments/charge, payments/refund, stock/charge"},
		"retry_ratio_by_class[503]<1":                          {"total=0.1", ""},
		"retry_ratio_by_class[502]<1":                          {"total=0", ""},
		"retry_ratio_by_class[UNAVAILABLE]<1":                  {"total=0", ""},
		"retry_ratio_by_class[40001]<1":                        {"total=0", ""},
		"retry_ratio_by_class[attempt_timeout]<1":              {"total=0", ""},
		"retry_ratio_by_class[*shop.PriceError]<1":             {"total=0", ""}, // by --class
		"retry_ratio_by_class[*shop.StokError]<1":              {"total=-", `no retry was of the error class "*shop.StokError"; did you mean *shop.StockError?`},
		"retry_ratio_by_class[tiemout]<1":                      {"total=-", "did you mean timeout"},
		"retry_ratio_by_class[5030]<1":                         {"total=-", "did you mean 503?"},
		"retry_ratio_by_class[no such thing]<1":                {"total=-", "those of this input are *shop.StockError, 503. If it is one of your own, name it with --class"},
		"retry_success_by_class[502]>0":                        {"total=-", ""},
		"retry_success_by_class[50]>0":                         {"total=-", "did you mean 503?"},
	} {
		th, err := threshold.Parse(text)
		require.NoError(t, err, text)
		var got, hints []string
		for _, r := range threshold.Check(s, threshold.Config{Thresholds: []threshold.Threshold{th}, Classes: []string{"*shop.PriceError"}}) {
			found := "-"
			if r.Value != nil {
				found = threshold.Unit("").Text(*r.Value, 3)
			}
			got = append(got, r.Subject+"="+found)
			hints = append(hints, r.Hint)
		}
		assert.Equal(t, want.subjects, strings.Join(got, " "), text)
		if want.hint == "" {
			assert.Empty(t, strings.Join(hints, ""), text)
		} else {
			assert.Contains(t, strings.Join(hints, " "), want.hint, text)
		}
	}
}
