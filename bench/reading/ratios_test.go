// Package reading measures how fast retrystat reads beside the decoders that
// one would use instead. It is a module of its own, so that none of them
// reaches users' go.sum.
package reading

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

var (
	size  = flag.Int64("size", 200<<20, "bytes of each file")
	large = flag.Int64("large", 0, "bytes of the file that shows that memory is flat (10 times -size when 0)")
)

// asked skips a test that takes minutes and gigabytes unless it is asked for.
func asked(t *testing.T) {
	t.Helper()
	if os.Getenv("RETRYKIT_BENCH") != "1" {
		t.Skip("set RETRYKIT_BENCH=1 to measure")
	}
}

// requests of the processes that a file tells of, before others take their
// places.
const requests = 50_000

// write writes a file of about n bytes of metrics and spans.
func write(t testing.TB, path string, n int64, lines func(*telemetrygen.Export) [][]byte) {
	t.Helper()
	writeLives(t, path, n, requests, lines)
}

// writeLives is write with processes that live for that many requests.
func writeLives(t testing.TB, path string, n int64, requests int, lines func(*telemetrygen.Export) [][]byte) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	var written int64
	for seed := uint64(1); written < n; seed++ {
		_, err := telemetrygen.Generate(telemetrygen.Config{
			Seed: seed, Requests: requests, Replicas: 4, Operations: 8, Noise: 10, Restarts: 1,
			Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(seed)*30),
		}, func(e *telemetrygen.Export) error {
			for _, line := range lines(e) {
				if written >= n {
					return nil
				}
				m, err := w.Write(line)
				written += int64(m)
				if err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

func jsonLines(e *telemetrygen.Export) [][]byte {
	return [][]byte{e.MetricsJSON(telemetrygen.JSONOptions{}), e.SpansJSON(telemetrygen.JSONOptions{})}
}

func protoFrames(e *telemetrygen.Export) (out [][]byte) {
	for _, m := range [][]byte{e.MetricsProto(), e.SpansProto()} {
		if m != nil {
			out = append(out, telemetrygen.Prefixed(m))
		}
	}
	return out
}

// TestRatios prints how fast each way of reading is, by processor time, beside
// what is aimed at; retrystat goes all the way to the figures, the others only
// parse. It reads two kinds of files: of nothing but retry telemetry, where all
// have to take everything in, and of retry telemetry among that of others, as
// collectors write it, where retrystat leaves out what is not asked for. It
// fails when a ratio falls below what was reached before.
func TestRatios(t *testing.T) {
	asked(t)
	fmt.Printf("%-42s %10s %8s %8s\n", fmt.Sprintf("%d MiB of", *size>>20), "MB/s/core", "ratio", "aim")
	t.Run("alone", func(t *testing.T) {
		fmt.Println("retry telemetry alone")
		ratios(t, jsonLines, protoFrames, floors{fastjson: 1.5, std: 9, pdataJSON: 3, pdataProto: 3.5, twoCores: 1.15})
	})
	t.Run("among others", func(t *testing.T) {
		fmt.Println("retry telemetry among that of others")
		ratios(t, mixedJSON(t), mixedFrames(t), floors{fastjson: 1.5, std: 9, pdataJSON: 3, pdataProto: 6, twoCores: 1.15})
	})
}

// floors are ratios that were reached.
type floors struct{ fastjson, std, pdataJSON, pdataProto, twoCores float64 }

func ratios(t *testing.T, asJSON, asProto func(*telemetrygen.Export) [][]byte, floor floors) {
	dir := t.TempDir()
	jsonFile, protoFile := filepath.Join(dir, "telemetry.jsonl"), filepath.Join(dir, "telemetry.binpb")
	write(t, jsonFile, *size, asJSON)
	write(t, protoFile, *size, asProto)

	ours := &turn{way: "retrystat", path: jsonFile, procs: 1, every: 1}
	two := &turn{way: "retrystat", path: jsonFile, procs: 2, every: 1}
	fast := &turn{way: "fastjson", path: jsonFile, procs: 1, every: 1}
	std := &turn{way: "encoding/json", path: jsonFile, procs: 1, every: 2} // it takes long
	pdataJSON := &turn{way: "pdata JSON", path: jsonFile, procs: 1, every: 1}
	ourProto := &turn{way: "retrystat", path: protoFile, procs: 1, every: 1}
	twoProto := &turn{way: "retrystat", path: protoFile, procs: 2, every: 1}
	pdataProto := &turn{way: "pdata protobuf", path: protoFile, procs: 1, every: 1}
	twins := &turn{way: "retrystat", path: jsonFile, procs: 1, every: 1, twins: true}
	twinsProto := &turn{way: "retrystat", path: protoFile, procs: 1, every: 1, twins: true}
	takeTurns(t, ours, two, twins, fast, std, pdataJSON, ourProto, twoProto, twinsProto, pdataProto)

	rate := func(d time.Duration) float64 { return float64(*size) / 1e6 / d.Seconds() }
	line := func(name string, d time.Duration, ratio, aim, floor float64) {
		fmt.Printf("  %-40s %10.0f %8.2f %8.1f\n", name, rate(d), ratio, aim)
		if ratio < floor {
			t.Errorf("%s: ratio %.2f, it was above %.1f", name, ratio, floor)
		}
	}
	line("retrystat, JSON to figures", ours.best.cpu, 1, 1, 0)
	line("fastjson, parse only", fast.best.cpu, ratio(fast.best.cpu, ours.best.cpu), 1, floor.fastjson)
	line("encoding/json, parse only", std.best.cpu, ratio(std.best.cpu, ours.best.cpu), 8, floor.std)
	line("pdata JSON, parse only", pdataJSON.best.cpu, ratio(pdataJSON.best.cpu, ours.best.cpu), 4, floor.pdataJSON)
	line("retrystat, protobuf to figures", ourProto.best.cpu, 1, 1, 0)
	line("pdata protobuf, parse only", pdataProto.best.cpu, ratio(pdataProto.best.cpu, ourProto.best.cpu), 8, floor.pdataProto)
	if !idle() { // by the wall clock, two cores are two only when nobody else wants them
		floor.twoCores = 0
	}
	line("retrystat, JSON, 2 cores over 1 (wall)", two.best.wall, ratio(ours.best.wall, two.best.wall), 1.4, floor.twoCores)
	line("retrystat, protobuf, 2 cores over 1 (wall)", twoProto.best.wall, ratio(ourProto.best.wall, twoProto.best.wall), 1.4, floor.twoCores)
	// What the machine gives to two that share nothing: more than that can't be had of its two cores.
	line("two processes over 1, JSON (wall)", twins.best.wall/2, 2*ratio(ours.best.wall, twins.best.wall), 2, 0)
	line("two processes over 1, protobuf (wall)", twinsProto.best.wall/2, 2*ratio(ourProto.best.wall, twinsProto.best.wall), 2, 0)
	line("2 cores over pdata JSON's one (wall)", two.best.wall, ratio(pdataJSON.best.wall, two.best.wall), 4, 0)
	line("2 cores over pdata protobuf's one (wall)", twoProto.best.wall, ratio(pdataProto.best.wall, twoProto.best.wall), 8, 0)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// idle reports whether nothing else wants the processors.
func idle() bool {
	var load float64
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return false
	}
	_, err = fmt.Sscanf(string(data), "%f", &load)
	return err == nil && load < float64(runtime.NumCPU())
}

// TestMemoryIsFlat reads a file and one ten times its size, of processes that
// live ten times as long: the peak memory may grow by a quarter and 16 MiB, not
// with the file. What grows it is further streams and restarts.
func TestMemoryIsFlat(t *testing.T) {
	asked(t)
	dir := t.TempDir()
	binary := filepath.Join(dir, "retrystat")
	build := exec.Command("go", "build", "-o", binary, "./cmd/retrystat")
	build.Dir = filepath.Join("..", "..") // its module requires what this one does not
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	peak := func(n int64) int64 {
		path := filepath.Join(dir, "telemetry.jsonl")
		writeLives(t, path, n, int(requests*n / *size), jsonLines)
		defer os.Remove(path)
		cmd := exec.Command(binary, "report", path)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	}
	big := *large
	if big == 0 {
		big = 10 * *size
	}
	small, grown := peak(*size), peak(big)
	fmt.Printf("peak memory: %d MiB of %d MiB, %d MiB of %d MiB\n", small>>20, *size>>20, grown>>20, big>>20)
	require.Less(t, grown, small+small/4+16<<20)
}
