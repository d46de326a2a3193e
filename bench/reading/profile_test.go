package reading

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/retrykit/retrykit/internal/telemetrygen"
	"github.com/stretchr/testify/require"
)

// kept makes profiles show reading alone: the files are written there once.
var kept = flag.String("files", "", "a `folder` to keep the benchmarks' files in")

func BenchmarkJSON(b *testing.B)       { benchmark(b, "telemetry.jsonl", jsonLines) }
func BenchmarkProto(b *testing.B)      { benchmark(b, "telemetry.binpb", protoFrames) }
func BenchmarkMixedJSON(b *testing.B)  { benchmark(b, "mixed.jsonl", mixedJSON(b)) }
func BenchmarkMixedProto(b *testing.B) { benchmark(b, "mixed.binpb", mixedFrames(b)) }

// benchmark reads one file of 128 MiB.
func benchmark(b *testing.B, name string, lines func(*telemetrygen.Export) [][]byte) {
	const n = 128 << 20
	dir := *kept
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err == nil {
		b.Log("reading the file that is there")
	} else {
		write(b, path, n, lines)
	}
	b.SetBytes(n)
	b.ReportAllocs()
	best := never
	for b.Loop() {
		took, err := measure(func() error { return retrystat(path) })
		require.NoError(b, err)
		best.least(took)
	}
	b.ReportMetric(n/1e6/best.cpu.Seconds(), "MB/s/core")
}
