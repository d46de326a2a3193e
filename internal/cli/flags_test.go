package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

func TestFlagsThatAreWrong(t *testing.T) {
	for want, args := range map[string][]string{
		"unknown flag --fromat: did you mean --format?":                               {"report", "--fromat", "json", "x"},
		"unknown flag --nope: \"retrystat report --help\" lists those that there are": {"report", "--nope", "x"},
		"unknown flag -since: did you mean --since?":                                  {"report", "-since", "5m", "x"},
		"unknown flag -prometheus: did you mean --prometheus?":                        {"report", "-prometheus=http://x"},
		"unknown flag -format: did you mean --format?":                                {"report", "-format", "json", "x"},
		"unknown flag -threshold: did you mean --threshold?":                          {"check", "-threshold=attempts_per_request<2", "x"},
		"unknown flag -output: did you mean --output?":                                {"rules", "-output", "rules.yaml"},
		"unknown flag -output: did you mean --output? ":                               {"rules", "--label", "a=b", "-output", "utput"},
		"unknown flag -output: did you mean --output?  ":                              {"rules", "--native-histograms", "-output=x"},
		"unknown flag -config: did you mean --config?":                                {"rules", "-config", "x"},
		"unknown flag -o: \"retrystat report --help\" lists those that there are":     {"report", "-o", "x"},
		"--top \"x\": it must be a whole number":                                      {"report", "--top", "x", "x"},
		"--strict \"x\": it is true or false":                                         {"report", "--strict=x", "x"},
		"--window \"5\": it must be a duration such as 30s, 5m or 1d":                 {"report", "--window", "5", "x"},
		`--operation "a\"b": separate several with commas; a name with a comma or a quote in it goes in quotes, each quote of its own doubled: "a,b","c""d"`: {"report", "--operation", `a"b`, "x"},
		"--header \"x\": write it as name=value":                                  {"report", "--header", "x", "x"},
		"--min-request-rate \"x\": it must be a number":                           {"rules", "--min-request-rate", "x"},
		"--since and --window both say where the window begins: give one of them": {"report", "--prometheus", "http://x", "--since", "5m", "--window", "5m"},
		"--naming: unknown name translation \"x\": use one of UnderscoreEscapingWithSuffixes, UnderscoreEscapingWithoutSuffixes, NoUTF8EscapingWithSuffixes, NoTranslation": {"report", "--prometheus", "http://x", "--naming", "x"},
		"--since: 9999-01-01T00:00:00Z is no time that telemetry can have: it counts nanoseconds from 1970, up to 2262":                                                     {"report", "--since", "9999-01-01T00:00:00Z", "x"},
		"--until: 0001-01-01T00:00:00Z is no time that telemetry can have: it counts nanoseconds from 1970, up to 2262":                                                     {"report", "--until", "0001-01-01T00:00:00Z", "x"},
		"--until: 1970-01-01T00:00:00Z is no time that telemetry can have: it counts nanoseconds from 1970, up to 2262":                                                     {"check", "-t", "requests>1", "--until", "1970-01-01T00:00:00Z", "x"},
		"--since: 1600-01-01T00:00:00Z is no time that telemetry can have: it counts nanoseconds from 1970, up to 2262":                                                     {"watch", "--since", "1600-01-01T00:00:00Z", "x"},
		"--since is not before --until":                    {"report", "--since", "2026-01-01T00:00:00+01:00", "--until", "2025-12-31T23:00:00Z", "x"},
		"--since is not before now, where the window ends": {"report", "--prometheus", "http://x", "--since", "2200-01-01T00:00:00Z"},
		"nothing to watch: name files, or --prometheus":    {"watch"},
	} {
		code, stdout, stderr := run(t, "", args...)
		assert.Equal(t, 2, code, args)
		assert.Empty(t, stdout)
		assert.Equal(t, "retrystat: "+strings.TrimSpace(want)+"\n", stderr)
	}
}

// What looks like a long name after one dash may be a value.
func TestValuesThatLookLikeFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"rules", "--output", "utput"}, {"rules", "--output=utput"}, {"rules", "-o", "utput"}, {"rules", "-o=utput"},
		{"rules", "--output", "-output"}, {"rules", "-o", "-output"}, {"rules", "--label", "a=b", "--output", "utput"},
	} {
		code, _, stderr := run(t, "", args...)
		assert.Equal(t, 0, code, "%s: %s", args, stderr)
	}
	path := file(t, telemetrygen.Config{})
	code, _, stderr := run(t, "", "check", "-trequests>1", "--", path)
	assert.Equal(t, 0, code, stderr)
	_, _, stderr = run(t, "", "report", "--", "-format")
	assert.Contains(t, stderr, "-format: no such file")
}

func TestDurationsInDays(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	code, stdout, stderr := run(t, "", "report", "--since", "36500d", path)
	assert.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "operation-1")
}

func TestWatchSaysWhatIsMissing(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	var out bytes.Buffer
	code := cli.Main(t.Context(), []string{"watch", "--rounds", "1", "--dependency", "nope", path}, cli.Env{Stdout: &out, Stderr: &out})
	assert.Equal(t, 0, code)
	assert.Contains(t, out.String(), "note: nothing matches --dependency and --operation")

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	require.NoError(t, os.WriteFile(bad, append([]byte("oops\n"), data...), 0o600))
	out.Reset()
	code = cli.Main(t.Context(), []string{"watch", "--strict", bad}, cli.Env{Stdout: &out, Stderr: &out})
	assert.Equal(t, 2, code)
	assert.Contains(t, out.String(), "retrystat: skipped 1 x line that is not JSON")
}
