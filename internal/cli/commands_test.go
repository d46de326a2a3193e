package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

func file(t *testing.T, c telemetrygen.Config) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "telemetry.jsonl")
	require.NoError(t, os.WriteFile(path, generated(t, c), 0o600))
	return path
}

func TestDiff(t *testing.T) {
	good := file(t, telemetrygen.Config{Requests: 4000, Failing: 0.02})
	bad := file(t, telemetrygen.Config{Requests: 4000, Failing: 0.3, Seed: 7})
	code, stdout, stderr := run(t, "", "diff", good, bad)
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "worse")
	assert.Contains(t, stdout, "<0.001")

	other := file(t, telemetrygen.Config{Requests: 300, Failing: 0.02, Seed: 9, Operations: 3})
	code, stdout, _ = run(t, "", "diff", good, other)
	require.Equal(t, 0, code)
	assert.Contains(t, stdout, "~")
	assert.Contains(t, stdout, "only after")

	code, stdout, _ = run(t, "", "diff", "-f", "json", good, bad)
	require.Equal(t, 0, code)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	assert.Len(t, got["operations"], 2)

	code, _, stderr = run(t, "", "diff", good)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "two recordings, BEFORE and AFTER, and got 1")
}

func TestCheck(t *testing.T) {
	path := file(t, telemetrygen.Config{NoSpans: true})
	config := filepath.Join(t.TempDir(), "limits.yaml")
	require.NoError(t, os.WriteFile(config, []byte("thresholds:\n  - '*:attempts_per_request < 2'\n"), 0o600))
	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"passes":        {[]string{"-t", "attempts_per_request<2"}, 0, "ok  total  attempts_per_request < 2  found 1."},
		"fails":         {[]string{"-t", "attempts_per_request<1.01"}, 1, "FAIL  total"},
		"missing":       {[]string{"-t", "nobody/home:attempts_per_request<9"}, 1, "FAIL  nobody/home  attempts_per_request < 9  found not measured"},
		"misspelt":      {[]string{"-t", "dependency-0/operation-O:attempts_per_request<9"}, 1, "found not measured"},
		"class":         {[]string{"-t", "retry_ratio_by_class[tiemout]<1", "--class", "tiemout"}, 0, "found 0"},
		"unknown class": {[]string{"-t", "retry_ratio_by_class[tiemout]<1"}, 1, "found not measured"},
		"units":         {[]string{"-t", "*:eventual_success>1.1%", "-t", "added_latency_p95<3s"}, 0, "eventual_success > 1.1%  found 9"},
		"one of two":    {[]string{"-t", "attempts_per_request<2", "-t", "eventual_success>99.9%"}, 1, "FAIL"},
		"from a file":   {[]string{"--config", config}, 0, "dependency-0/operation-1"},
		"no thresholds": {nil, 2, ""},
		"bad threshold": {[]string{"-t", "attempts"}, 2, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			code, stdout, _ := run(t, "", append(append([]string{"check"}, tt.args...), path)...)
			assert.Equal(t, tt.code, code)
			assert.Contains(t, stdout, tt.want)
		})
	}
}

func TestCheckOffersNamesThatWereMeasured(t *testing.T) {
	path := file(t, telemetrygen.Config{NoSpans: true})
	_, _, stderr := run(t, "", "check", "-t", "dependency-0/operation-O:attempts<9e9", "-t", "*:retry_ratio_by_class[tiemout]<1", path)
	assert.Equal(t, `retrystat: note: dependency-0/operation-O was not measured; did you mean dependency-0/operation-0 or dependency-0/operation-1?
retrystat: note: no retry was of the error class "tiemout"; did you mean timeout? If it is one of your own, name it with --class, or under classes in the file
`, stderr)
}

// Output that lists no skipped input must not hide it either.
func TestSkippedInputIsToldOnTheSide(t *testing.T) {
	path := file(t, telemetrygen.Config{NoSpans: true})
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append([]byte("oops\n"), data...), 0o600))
	for name, args := range map[string][]string{
		"check": {"check", "-t", "attempts_per_request<2", path},
		"diff":  {"diff", path, path},
		"csv":   {"report", "-f", "csv", path},
	} {
		code, _, stderr := run(t, "", args...)
		assert.Equal(t, 0, code, name)
		assert.Contains(t, stderr, "skipped 1 x line that is not JSON, first at "+path+":1", name)
	}
}

func TestFlagsThatWouldDoNothingAreRefused(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	for want, args := range map[string][]string{
		"--window goes with --prometheus; use --since": {"report", "--window", "5m", path},
		"--header goes with --prometheus":              {"check", "-t", "attempts<1", "--header", "a=b", path},
		"--rounds is negative":                         {"watch", "--rounds", "-1", path},
		"--top is negative":                            {"watch", "--rounds", "1", "--top", "-1", path},
		"--window 0s must be 1ms or more":              {"report", "--prometheus", "http://127.0.0.1:1", "--window", "0s"},
		"--timeout -1s must be more than 0":            {"report", "--prometheus", "http://127.0.0.1:1", "--timeout", "-1s"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		var out, errs bytes.Buffer
		code := cli.Main(ctx, args, cli.Env{Stdout: &out, Stderr: &errs})
		cancel()
		assert.Equal(t, 2, code, args)
		assert.Contains(t, errs.String(), want)
	}
}

func TestCSVAndMarkdown(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	code, stdout, _ := run(t, "", "report", "-f", "csv", path)
	require.Equal(t, 0, code)
	records, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 4, "header, two operations, total")
	assert.Equal(t, []string{"dependency", "operation", "call_site", "requests"}, records[0][:4])

	code, stdout, _ = run(t, "", "report", "-f", "markdown", path)
	require.Equal(t, 0, code)
	assert.True(t, strings.HasPrefix(stdout, "| dependency | operation | requests |"))
	assert.Contains(t, stdout, `connection\_refused`)
}

func TestSortFilterAndTop(t *testing.T) {
	path := file(t, telemetrygen.Config{Operations: 6})
	_, stdout, _ := run(t, "", "report", "--sort", "name", "--top", "2", path)
	assert.Contains(t, stdout, "dependency-0  operation-0")
	assert.NotContains(t, stdout, "operation-2")
	assert.Contains(t, stdout, "4 more operations are in the total")
	_, stdout, _ = run(t, "", "report", "--operation", "operation-3", path)
	assert.Contains(t, stdout, "dependency-1  operation-3")
	assert.NotContains(t, stdout, "operation-2")
	code, _, stderr := run(t, "", "report", "--sort", "size", path)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "unknown order")
}

// The total is of all that was measured, so it is shown also when --top leaves
// one operation.
func TestTopKeepsTheTotal(t *testing.T) {
	two, one := file(t, telemetrygen.Config{Operations: 2}), file(t, telemetrygen.Config{Operations: 1})
	for format, total := range map[string]string{"table": "\ntotal ", "wide": "\ntotal ", "markdown": "\n| total |", "html": ">total<"} {
		_, stdout, _ := run(t, "", "report", "--top", "1", "-f", format, two)
		assert.Contains(t, stdout, total, format)
		assert.Contains(t, stdout, "1 more operation is in the total", format)
		_, stdout, _ = run(t, "", "report", "--top", "1", "-f", format, one)
		assert.NotContains(t, stdout, total, "%s: it would repeat the only operation", format)
		assert.NotContains(t, stdout, "more operation", format)
	}
	_, stdout, _ := run(t, "", "watch", "--rounds", "1", "--top", "1", two)
	assert.Contains(t, stdout, "\ntotal ")
}

func TestTimeWindow(t *testing.T) {
	path := file(t, telemetrygen.Config{NoSpans: true, Requests: 2000})
	requests := func(args ...string) float64 {
		code, stdout, stderr := run(t, "", append([]string{"report", "-f", "json", path}, args...)...)
		require.Equal(t, 0, code, stderr)
		var got struct{ Total struct{ Requests float64 } }
		require.NoError(t, json.Unmarshal([]byte(stdout), &got))
		return got.Total.Requests
	}
	first := requests("--until", "2026-01-01T00:00:40Z")
	rest := requests("--since", "2026-01-01T00:00:40Z")
	assert.Greater(t, first, 0.0)
	assert.Greater(t, rest, 0.0)
	assert.Equal(t, requests(), first+rest, "nothing is lost or counted twice at the boundary")
}

// TestWatchFollowsAGrowingFile lets a file grow in the middle of a line.
func TestWatchFollowsAGrowingFile(t *testing.T) {
	path := file(t, telemetrygen.Config{Requests: 3000})
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	cut := len(whole)*2/3 + 5
	require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
	out := &growing{path: path, more: whole}
	code := cli.Main(t.Context(), []string{"watch", "--interval", "100ms", "--rounds", "2", path}, cli.Env{Stdout: out, Stderr: out})
	assert.Equal(t, 0, code)
	first, second, two := strings.Cut(strings.TrimPrefix(out.String(), "DEPENDENCY"), "DEPENDENCY")
	require.True(t, two, "two reports")
	assert.Contains(t, first, "note: "+path+": its last line is not complete yet")
	_, want, _ := run(t, "", "report", path)
	assert.Equal(t, want, "DEPENDENCY"+second)
}

func TestWatchShowsWhatFilesBecome(t *testing.T) {
	path := file(t, telemetrygen.Config{Requests: 200})
	more := generated(t, telemetrygen.Config{Requests: 500, Replicas: 2})
	out := &growing{path: path, more: more}
	code := cli.Main(t.Context(), []string{"watch", "--interval", "100ms", "--rounds", "2", path},
		cli.Env{Stdout: out, Stderr: out})
	assert.Equal(t, 0, code)
	_, second, two := strings.Cut(strings.TrimPrefix(out.String(), "DEPENDENCY"), "DEPENDENCY")
	require.True(t, two, "two reports")
	_, want, _ := run(t, "", "report", path)
	assert.Equal(t, want, "DEPENDENCY"+second, "the second one is of what the file has become")

	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var b bytes.Buffer
	assert.Equal(t, 0, cli.Main(ctx, []string{"watch", path}, cli.Env{Stdout: &b, Stderr: &b}), "interrupting is how it ends")
}

// growing makes the watched file grow once something was shown.
type growing struct {
	bytes.Buffer
	path string
	more []byte
}

func (g *growing) Write(p []byte) (int, error) {
	if g.more != nil {
		if err := os.WriteFile(g.path, g.more, 0o600); err != nil {
			return 0, err
		}
		g.more = nil
	}
	return g.Buffer.Write(p)
}

func TestPipeClosedEarly(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	var errs bytes.Buffer
	code := cli.Main(t.Context(), []string{"report", path}, cli.Env{Stdout: failing{syscall.EPIPE}, Stderr: &errs})
	assert.Equal(t, 0, code)
	assert.Empty(t, errs.String())
	code = cli.Main(t.Context(), []string{"report", path}, cli.Env{Stdout: failing{errors.New("disk full")}, Stderr: &errs})
	assert.Equal(t, 2, code)
	assert.Contains(t, errs.String(), "disk full")
}

// TestWatchEndsWhenNobodyReads is `watch | head -1`: nothing is written while
// the file does not grow, and it ends all the same.
func TestWatchEndsWhenNobodyReads(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer write.Close()
	ended := make(chan int, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		ended <- cli.Main(ctx, []string{"watch", "--interval", "100ms", path}, cli.Env{Stdout: write, Stderr: io.Discard})
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, line, "DEPENDENCY")
	require.NoError(t, read.Close())
	assert.Equal(t, 0, <-ended)
	assert.NoError(t, ctx.Err(), "it waited to be interrupted")
}

func TestNothingMatches(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	for name, tt := range map[string]struct {
		args   []string
		code   int
		stderr string
		stdout string
	}{
		"dependency":        {[]string{"report", "--dependency", "nope"}, 2, "nothing matches --dependency and --operation: what was read is about dependency-0/operation-0, dependency-0/operation-1", "nothing measured: 1 file"},
		"operation, JSON":   {[]string{"report", "-f", "json", "--operation", "nope"}, 2, "nothing matches", `"operations": []`},
		"window":            {[]string{"report", "--since", "5m"}, 0, "", "note: nothing was measured after --since: what was read is from 2026-01-01T00:00:0"},
		"window, JSON":      {[]string{"report", "-f", "json", "--since", "5m"}, 0, "note: nothing was measured", `"operations": []`},
		"window, CSV":       {[]string{"report", "-f", "csv", "--until", "2020-01-01T00:00:00Z"}, 0, "note: nothing was measured before --until: ", "total"},
		"window, both ends": {[]string{"report", "--since", "2020-01-01T00:00:00Z", "--until", "2020-01-02T00:00:00Z"}, 0, "", "note: nothing was measured between --since and --until: "},
		"check, dependency": {[]string{"check", "-t", "attempts<9", "--dependency", "nope"}, 1, "nothing matches", "found not measured"},
		"check, window":     {[]string{"check", "-t", "attempts<9", "--since", "5m"}, 1, "nothing was measured", "found not measured"},
		"diff":              {[]string{"diff", "--operation", "nope", path}, 2, "nothing matches", "total"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, "", append(tt.args, path)...)
			assert.Equal(t, tt.code, code)
			assert.Contains(t, stdout, tt.stdout)
			if tt.stderr == "" {
				assert.Empty(t, stderr)
			} else {
				assert.Contains(t, stderr, tt.stderr)
			}
			assert.LessOrEqual(t, strings.Count(stdout+stderr, "nothing matches"), 1, "it is said once")
			assert.NotContains(t, stdout, "dependency-0 ", "no row for what has no figure")
		})
	}
	code, stdout, stderr := run(t, `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"x","sum":{"dataPoints":[{"asInt":"1"}]}}]}]}]}`, "report", "-f", "json", "-")
	assert.Equal(t, 0, code)
	assert.Contains(t, stdout, `"points": 1`)
	assert.Contains(t, stderr, "note: nothing of what was read is about retries")
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
