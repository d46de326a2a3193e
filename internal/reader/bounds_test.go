package reader_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// The bounds that docs/retrystat.md lists, each at what is still read and at
// what is not. Resets, starts, slots and waiting requests are those of figures.

const mib = 1 << 20

// one is a line that counts five requests.
const one = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.requests","sum":{"aggregationTemporality":2,"isMonotonic":true,` +
	`"dataPoints":[{"startTimeUnixNano":"1","timeUnixNano":"2","asInt":"5","attributes":[{"key":"retry.outcome","value":{"stringValue":"first_attempt_success"}}]}]}}]}]}]}` + "\n"

// stuffed is that line with so much in it that nobody asks for.
func stuffed(size int) io.Reader {
	const head, tail = `{"unknown":"`, `",`
	return io.MultiReader(strings.NewReader(head), io.LimitReader(endless('x'), int64(size-len(head)-len(tail)-len(one)+2)),
		strings.NewReader(tail+one[1:]))
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// readAll reads it and returns how much memory that asked for, all together.
func readAll(t *testing.T, in io.Reader, limit int) (*summary.Summary, uint64, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b := figures.NewBuilder(figures.Options{})
	err := reader.Read(t.Context(), []string{"-"}, b, reader.Options{Stdin: in, Workers: 1, Registry: telemetry.NewRegistry(dialect.Catalog(), limit)})
	runtime.ReadMemStats(&after)
	return b.Summary(), after.TotalAlloc - before.TotalAlloc, err
}

func TestLongDocuments(t *testing.T) {
	for name, tt := range map[string]struct {
		size    int
		skipped []summary.Skipped
		want    float64
	}{
		"just within": {256*mib - 2*mib, []summary.Skipped{}, 10},
		"just past":   {256*mib + 2*mib, []summary.Skipped{{Reason: "document longer than 256 MiB", Count: 1, Example: "standard input:2"}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			long := stuffed(tt.size)
			after := strings.Replace(one, `"timeUnixNano":"2"`, `"timeUnixNano":"4"`, 1)
			if tt.want == 10 {
				after = strings.Replace(after, `"asInt":"5"`, `"asInt":"10"`, 1)
			}
			s, _, err := readAll(t, io.MultiReader(strings.NewReader(one), long, strings.NewReader(after)), 0)
			require.NoError(t, err)
			assert.Equal(t, tt.skipped, s.Input.Skipped)
			assert.Equal(t, tt.want, *s.Total.Requests, "what comes before and after it is read")
		})
	}
}

// TestLongLinesThatAreNoDocument have a line of 300 MB that no document begins
// with, before, between and behind those that count; little of it is kept.
func TestLongLinesThatAreNoDocument(t *testing.T) {
	later := strings.NewReplacer(`"timeUnixNano":"2"`, `"timeUnixNano":"4"`, `"asInt":"5"`, `"asInt":"10"`).Replace(one)
	const spread = "{\n" + `"resourceMetrics":[]}` + "\n" // documents span lines then
	for name, begin := range map[string]string{"a string": `"`, "a byte that is no text": "\xff"} {
		long := func() io.Reader {
			return io.MultiReader(strings.NewReader(begin), io.LimitReader(endless('x'), 300*mib), strings.NewReader("\n"))
		}
		for place, tt := range map[string]struct {
			in    io.Reader
			where string
		}{
			"first":                    {io.MultiReader(long(), strings.NewReader(one+later)), "standard input:1"},
			"between":                  {io.MultiReader(strings.NewReader(one), long(), strings.NewReader(later)), "standard input:2"},
			"last":                     {io.MultiReader(strings.NewReader(one+later), long()), "standard input:3"},
			"between, documents apart": {io.MultiReader(strings.NewReader(spread+one), long(), strings.NewReader(later)), "standard input:4"},
		} {
			if testing.Short() && place != "first" {
				continue
			}
			t.Run(name+", "+place, func(t *testing.T) {
				s, allocated, err := readAll(t, tt.in, 0)
				require.NoError(t, err)
				assert.Equal(t, []summary.Skipped{{Reason: "line that is not JSON", Count: 1, Example: tt.where}}, s.Input.Skipped)
				assert.Equal(t, 10.0, *s.Total.Requests, "what comes before and after it is read")
				assert.Greater(t, s.Input.Bytes, int64(300*mib))
				assert.Less(t, allocated, uint64(316*mib), "little more than what standard input is read into")
			})
		}
	}
}

// TestLyingLengths claims a quarter of a gigabyte, and has a few bytes.
func TestLyingLengths(t *testing.T) {
	for name, data := range map[string][]byte{
		"bare, within the bound":     {0x0a, 0xff, 0xff, 0xff, 0x7f, 0x0a, 0x02, 0x0a, 0x00},
		"bare, past the bound":       {0x0a, 0x05, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x0a, 0x81, 0x80, 0x80, 0x80, 0x01, 0x0a},
		"prefixed, within the bound": append([]byte{0x0f, 0xff, 0xff, 0xff, 0x0a, 0x82, 0x01, 0x0a, 0x00}, make([]byte, 20)...),
		"prefixed, past the bound":   append([]byte{0, 0, 0, 9, 0x0a, 0x07, 0x0a, 0x00, 0x12, 0x03, 0x12, 0x01, 0x00, 0xff, 0xff, 0xff, 0xff}, make([]byte, 20)...),
	} {
		t.Run(name, func(t *testing.T) {
			s, allocated, err := readAll(t, bytes.NewReader(data), 0)
			said := fmt.Sprint(s.Input.Skipped, err)
			assert.Contains(t, said, "cut short, or whose length lies")
			assert.Less(t, allocated, uint64(8*mib))
		})
	}
}

func TestLongPrometheusLines(t *testing.T) {
	line := func(size int) string {
		const head, tail = `otelretry_requests_total{retry_operation="x",padding="`, "\"} 7\n"
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	const rest = "otelretry_requests_total{retry_operation=\"y\",retry_outcome=\"canceled\"} 5\n"
	const kind = "# TYPE otelretry_requests_total counter\n"
	s, _, err := readAll(t, strings.NewReader(kind+line(mib)+rest), 0)
	require.NoError(t, err)
	assert.Empty(t, s.Input.Skipped)
	assert.Len(t, s.Operations, 2)
	s, allocated, err := readAll(t, io.MultiReader(strings.NewReader(kind), strings.NewReader(line(mib+1)), strings.NewReader(line(5*mib)), strings.NewReader(rest)), 0)
	require.NoError(t, err)
	assert.Equal(t, []summary.Skipped{{Reason: "line longer than 1 MiB", Count: 2, Example: "standard input:2"}}, s.Input.Skipped)
	assert.Equal(t, 5.0, *s.Total.Requests)
	assert.Less(t, allocated, uint64(16*mib), "little of the long lines is kept")
}

func TestCompressionWithinCompression(t *testing.T) {
	data := []byte(one)
	for n := 1; n <= 4; n++ {
		if n%2 == 0 {
			data = zstdBytes(data)
		} else {
			data = gzipBytes(data)
		}
		s, _, err := readAll(t, bytes.NewReader(data), 0)
		if n <= 3 {
			require.NoError(t, err, "%d times", n)
			assert.Equal(t, 5.0, *s.Total.Requests)
			continue
		}
		require.EqualError(t, err, "standard input: compressed more than 3 times over")
	}
}

// TestExpansion: what expands far is read while it is little, and to the ratio
// when it is much.
func TestExpansion(t *testing.T) {
	padded := func(size int) []byte { return append([]byte(one), bytes.Repeat([]byte{'\n'}, size)...) }
	s, _, err := readAll(t, bytes.NewReader(zstdBytes(padded(60*mib))), 0)
	require.NoError(t, err, "64 MiB are free")
	assert.Equal(t, 5.0, *s.Total.Requests)
	for name, data := range map[string][]byte{"zstd": zstdBytes(padded(80 * mib)), "gzip in gzip": gzipBytes(gzipBytes(padded(80 * mib)))} {
		_, allocated, err := readAll(t, bytes.NewReader(data), 0)
		assert.ErrorContains(t, err, "expands too far", name)
		assert.Less(t, allocated, uint64(80*mib), name)
	}
	s, _, err = readAll(t, bytes.NewReader(gzipBytes(padded(80*mib))), 0)
	require.NoError(t, err, "gzip on its own does not reach 2000 times")
	assert.Equal(t, 5.0, *s.Total.Requests)
}

// TestZstdWindow asks for a window of 256 MiB, in a file and in a frame of the
// collector's.
func TestZstdWindow(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(256*mib), zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(false))
	require.NoError(t, err)
	_, err = io.Copy(w, io.MultiReader(strings.NewReader(one), io.LimitReader(endless('\n'), 300*mib)))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	_, allocated, err := readAll(t, bytes.NewReader(b.Bytes()), 0)
	assert.ErrorContains(t, err, "zstd")
	assert.ErrorContains(t, err, "window size exceeded")
	assert.Less(t, allocated, uint64(200*mib))
}

// TestNestingCostsNoStack is as deep as a document may be long.
func TestNestingCostsNoStack(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 4*mib) + "1" + strings.Repeat("}", 4*mib)
	data := `{"unknown":` + deep + `,` + one[1:]
	s, allocated, err := readAll(t, strings.NewReader(data), 0)
	require.NoError(t, err)
	assert.Equal(t, 5.0, *s.Total.Requests)
	assert.Less(t, allocated, uint64(200*mib))
	for _, unclosed := range []string{`{"trace":`, `[`, `{"resourceMetrics":[`, `{"data":[`} {
		_, _, err := readAll(t, strings.NewReader(strings.Repeat(unclosed, mib)), 0)
		assert.ErrorContains(t, err, "no telemetry in it", unclosed)
	}
}

// TestStreamsAreBounded reads one more than may be kept, in every kind of format.
func TestStreamsAreBounded(t *testing.T) {
	var asJSON, asText strings.Builder
	asText.WriteString("# TYPE otelretry_requests_total counter\n")
	for i := range 101 {
		asJSON.WriteString(strings.Replace(one, `"attributes":[`, fmt.Sprintf(`"attributes":[{"key":"retry.operation","value":{"stringValue":"o%d"}},`, i), 1))
		fmt.Fprintf(&asText, "otelretry_requests_total{retry_operation=\"o%d\",retry_outcome=\"canceled\"} 5\n", i)
	}
	for name, data := range map[string]string{"JSON": asJSON.String(), "Prometheus text": asText.String()} {
		t.Run(name, func(t *testing.T) {
			s, _, err := readAll(t, strings.NewReader(data), 100)
			require.NoError(t, err)
			require.Len(t, s.Input.Skipped, 1)
			assert.Equal(t, "metric stream past the limit on streams", s.Input.Skipped[0].Reason)
			assert.EqualValues(t, 1, s.Input.Skipped[0].Count)
			assert.NotEmpty(t, s.Input.Skipped[0].Example)
			assert.Equal(t, 500.0, *s.Total.Requests)
		})
	}
	assert.Equal(t, 1048576, telemetry.DefaultMaxStreams, "as the documentation says")
}
