package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDialectsInHTML reports the retry telemetry of each other library and proxy
// as HTML: what it tells is plotted, and of the rest it is said that it is not
// known. Expositions have no times of their own; with them they have plots, too.
func TestDialectsInHTML(t *testing.T) {
	const attempts, first, classes = "Attempts per request", "First-attempt success", "Retries by error class"
	for name, tt := range map[string]struct {
		plots    []string
		headline string // requests, attempts per request, first-attempt and eventual success, latency added
	}{
		"grpc.jsonl":               {[]string{attempts}, "1000 1.150 - 95.96% -"},
		"aws-sdk-go-v2.jsonl":      {[]string{attempts}, "400 1.075 - - -"},
		"envoy.prom":               {[]string{attempts, classes}, "1000 1.080 - 98.00% -"},
		"resilience4j.prom":        {[]string{first}, "1000 - 90.00% 97.00% -"},
		"polly.jsonl":              {[]string{attempts, first, classes}, "300 1.100 90.00% 96.67% -"},
		"linkerd.prom":             {[]string{attempts}, "1500 1.097 - - -"},
		"otel-java-failsafe.jsonl": {[]string{attempts}, "100 1.250 - 95.00% -"},
		"http-client-spans.jsonl":  {[]string{attempts}, "5 1.600 - - -"},
	} {
		data, err := os.ReadFile(filepath.Join("../../testdata/telemetry/dialects", name))
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			text := string(data)
			if strings.HasSuffix(name, ".prom") {
				plots, headline, page := reportedHTML(t, text)
				assert.Empty(t, plots)
				assert.Equal(t, tt.headline, headline)
				assert.Contains(t, page, "Nothing is plotted over time: what was read has no times.")
				text = regexp.MustCompile(`(?m)^([^#].*)$`).ReplaceAllString(text, "$1 1767225660000")
			}
			plots, headline, page := reportedHTML(t, text)
			assert.Equal(t, tt.plots, plots)
			assert.Equal(t, tt.headline, headline)
			_, said, _ := strings.Cut(page, "Not plotted over time, because it is not known of every request: ")
			said, _, _ = strings.Cut(said, "</p>")
			var without []string
			for _, title := range []string{attempts, first, classes, "Latency added per request"} {
				if !strings.Contains(strings.Join(plots, "|"), title) {
					without = append(without, strings.ToLower(title))
				}
			}
			assert.Equal(t, strings.Join(without, ", ")+".", said)
		})
	}
}

// reportedHTML returns the titles of the plots, and the values on top.
func reportedHTML(t *testing.T, text string) (plots []string, headline, page string) {
	t.Helper()
	code, page, stderr := run(t, text, "report", "-f", "html", "-")
	require.Equal(t, 0, code, stderr)
	for _, m := range regexp.MustCompile(`<figcaption[^>]*>([^<]*)<`).FindAllStringSubmatch(page, -1) {
		plots = append(plots, m[1])
	}
	var values []string
	for _, m := range regexp.MustCompile(`<dd class="value">([^<]*)<`).FindAllStringSubmatch(page, -1) {
		values = append(values, m[1])
	}
	return plots, strings.Join(values, " "), page
}
