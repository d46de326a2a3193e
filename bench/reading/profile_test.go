package reading

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// kept makes profiles show reading alone: the files are written there once.
var kept = flag.String("files", "", "a `folder` to keep the benchmarks' files in")

func BenchmarkJSON(b *testing.B)  { benchmark(b, "telemetry.jsonl", true) }
func BenchmarkProto(b *testing.B) { benchmark(b, "telemetry.binpb", false) }

// benchmark reads one file of 32 MiB, on one goroutine.
func benchmark(b *testing.B, name string, asJSON bool) {
	const n = 32 << 20
	dir := *kept
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err == nil {
		b.Log("reading the file that is there")
	} else if asJSON {
		write(b, path, n, jsonLines)
	} else {
		write(b, path, n, protoFrames)
	}
	b.SetBytes(n)
	b.ReportAllocs()
	for b.Loop() {
		retrystat(b, path, 1)
	}
}
