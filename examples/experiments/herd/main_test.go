package main

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden file anew")

func TestWhatIsPrinted(t *testing.T) {
	const golden = "testdata/seed1.golden"
	var out bytes.Buffer
	require.NoError(t, show(&out, 1))
	if *update {
		require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String())
}

// The known figures for a thousand clients, as the mean of ten runs: the peak
// of a single one varies by several per cent.
func TestAThousandClients(t *testing.T) {
	known := map[string]struct{ peak, wait float64 }{
		"none": {1000, 31.0}, "full": {155, 15.4}, "equal": {222, 23.3}, "decorrelated": {75, 30.7},
	}
	require.Len(t, ofThousand(), len(known))
	for _, s := range ofThousand() {
		t.Run(s.name, func(t *testing.T) {
			const runs = 10
			var peaks, waits float64
			for seed := range uint64(runs) {
				result, err := herd{clients: 1000, attempts: 6, failures: 6, backoff: s.backoff}.run(seed)
				require.NoError(t, err)
				assert.Len(t, result.retries, 5000)
				most, _ := peak(result.retries, 100*time.Millisecond)
				peaks, waits = peaks+float64(most)/runs, waits+result.meanWait.Seconds()/runs
			}
			t.Logf("peak %.1f, wait %.2f s", peaks, waits)
			assert.InEpsilon(t, known[s.name].peak, peaks, 0.08)
			assert.InEpsilon(t, known[s.name].wait, waits, 0.03)
		})
	}
}

func TestTwelveClients(t *testing.T) {
	strategies := ofTwelve()
	run := func(s strategy, seed uint64) []time.Duration {
		result, err := herd{clients: 12, attempts: 5, failures: 4, backoff: s.backoff}.run(seed)
		require.NoError(t, err)
		assert.Len(t, result.calls(), 60)
		return result.calls()
	}
	constant, exponential := run(strategies[0], 1), run(strategies[1], 1)
	most, _ := peak(constant, 250*time.Millisecond)
	assert.Equal(t, 12, most)
	assert.Equal(t, 8*time.Second, slices.Max(constant))
	_, slots := peak(exponential, 250*time.Millisecond)
	assert.Equal(t, map[time.Duration]int{0: 12, time.Second: 12, 3 * time.Second: 12, 7 * time.Second: 12, 15 * time.Second: 12}, slots)

	// How far twelve clients spread is a matter of luck: the known figures,
	// each from one run, must be within the middle nine tenths of many runs.
	for i, known := range map[int]time.Duration{2: 10 * time.Second, 3: 16 * time.Second} {
		var spans []time.Duration
		for seed := range uint64(200) {
			spans = append(spans, slices.Max(run(strategies[i], seed)))
		}
		slices.Sort(spans)
		t.Logf("%s: %v to %v", strategies[i].name, spans[10], spans[190])
		assert.Less(t, spans[10], known, strategies[i].name)
		assert.Greater(t, spans[190], known, strategies[i].name)
	}
}

func TestTenThousandClientsWithoutJitterComeInThreeBursts(t *testing.T) {
	result, err := herd{clients: 10_000, attempts: 4, failures: 4, backoff: ofThousand()[0].backoff}.run(1)
	require.NoError(t, err)
	_, slots := peak(result.retries, time.Millisecond)
	assert.Equal(t, map[time.Duration]int{time.Second: 10_000, 3 * time.Second: 10_000, 7 * time.Second: 10_000}, slots, "base 1 s")

	var out bytes.Buffer
	require.NoError(t, showTenThousand(&out, 1))
	assert.Contains(t, out.String(), " 10000 retries at 200ms\n 10000 retries at 600ms\n 10000 retries at 1.4s\n")
	assert.NotContains(t, out.String(), "3s")
}
