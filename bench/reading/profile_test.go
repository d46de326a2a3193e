package reading

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// kept makes profiles show reading alone: the files are written there once.
var kept = flag.String("files", "", "a `folder` to keep the benchmarks' files in")

func BenchmarkJSON(b *testing.B)       { benchmark(b, "telemetry.jsonl", jsonLines) }
func BenchmarkProto(b *testing.B)      { benchmark(b, "telemetry.binpb", protoFrames) }
func BenchmarkMixedJSON(b *testing.B)  { benchmark(b, "mixed.jsonl", mixedJSON(b)) }
func BenchmarkMixedProto(b *testing.B) { benchmark(b, "mixed.binpb", mixedFrames(b)) }

// benchmark reads one file of 32 MiB, on one goroutine.
func benchmark(b *testing.B, name string, lines func(*telemetrygen.Export) [][]byte) {
	const n = 32 << 20
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
	best := time.Duration(1 << 62)
	for b.Loop() {
		before := cpu()
		retrystat(b, path, 1)
		best = min(best, cpu()-before)
	}
	b.ReportMetric(n/1e6/best.Seconds(), "MB/s/core")
}
