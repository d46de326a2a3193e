package threshold_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/threshold"
)

// What parses says the same again when it is shown, and an error names the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"attempts_per_request<1.2", "payments/charge:first_attempt_success >= 99%", "*:added_latency_p95<=250ms",
		"retry_ratio_by_class[503]<0.05", "*/a/b:retry_ratio_by_class[a:b[c]]<5%", "attempts==1", "attempts<0x1p-2%", "attempts<1e999", "<", ":<1", "attempts<-inf%",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		th, err := threshold.Parse(text)
		if err != nil {
			assert.Contains(t, err.Error(), "threshold ")
			return
		}
		again, err := threshold.Parse(th.String())
		require.NoError(t, err, "%q is shown as %q", text, th)
		assert.Equal(t, th.Figure, again.Figure)
		assert.Equal(t, th.Class, again.Class)
		assert.Equal(t, th.Op, again.Op)
		if math.Abs(th.Value) > 1e-300 && math.Abs(th.Value) < 1e300 {
			assert.InEpsilon(t, th.Value, again.Value, 1e-11)
		}
	})
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"thresholds:\n  - attempts_per_request < 1.2\n", "thresholds: [{figure: attempts, op: <, value: 1, each: true}]",
		"thresholds: &a [*a]", "classes: [a]\nthresholds: [a<1]\n---\n", "", "thresholds: {}", "- 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		config, err := threshold.ParseYAML(strings.NewReader(text))
		if err == nil {
			assert.NotEmpty(t, config.Thresholds, "nothing to hold against is an error")
		}
	})
}
