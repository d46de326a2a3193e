// Package reading measures how fast retrystat reads beside the decoders that
// one would use instead. It is a module of its own, so that none of them
// reaches users' go.sum.
package reading

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/telemetry"
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

// cpu is the processor time that this process has used: unlike the wall clock,
// it does not depend on what else the machine does.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A way of reading that is measured: on that many processors, in every so
// many rounds.
type way struct {
	procs, every int
	read         func()
	best         measured
}

// measured is the least that one run took.
type measured struct{ cpu, wall time.Duration }

// rounds of measuring. Each way has its turn in each of them, or in every so
// many, so that a machine whose speed drifts does not favour one that ran in a
// better hour; in its turn it runs twice, the second time in memory that the
// first one took.
const rounds = 3

func measure(ways ...*way) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, w := range ways {
		w.best = measured{1 << 62, 1 << 62}
	}
	for round := range rounds {
		for _, w := range ways {
			if round%w.every != 0 {
				continue
			}
			runtime.GOMAXPROCS(w.procs)
			for range 2 {
				runtime.GC()
				c, t := cpu(), time.Now()
				w.read()
				w.best.cpu, w.best.wall = min(w.best.cpu, cpu()-c), min(w.best.wall, time.Since(t))
			}
		}
	}
}

func retrystat(t testing.TB, path string, workers int) {
	b := figures.NewBuilder(figures.Options{})
	err := reader.Read(t.Context(), []string{path}, b, reader.Options{
		Workers: workers, Registry: telemetry.NewRegistry(dialect.Catalog(), 0),
	})
	require.NoError(t, err)
	s := b.Summary()
	require.NotEmpty(t, s.Operations)
	require.Empty(t, s.Input.Skipped)
}

func eachLine(t testing.TB, path string, f func([]byte)) {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	r := bufio.NewReaderSize(file, 64<<20)
	for {
		line, err := r.ReadSlice('\n')
		if len(line) > 0 {
			f(line)
		}
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

func eachFrame(t testing.TB, path string, f func([]byte)) {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<20)
	var head [4]byte
	var buf []byte
	for {
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return
		}
		n := int(binary.BigEndian.Uint32(head[:]))
		if cap(buf) < n {
			buf = make([]byte, 2*n)
		}
		_, err := io.ReadFull(r, buf[:n])
		require.NoError(t, err)
		f(buf[:n])
	}
}

var metricsMark = []byte(`{"resourceMetrics"`)

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
		ratios(t, jsonLines, protoFrames, floors{fastjson: 1, std: 6, pdataJSON: 1.5, pdataProto: 2.5, twoCores: 1.3})
	})
	t.Run("among others", func(t *testing.T) {
		fmt.Println("retry telemetry among that of others")
		ratios(t, mixedJSON(t), mixedFrames(t), floors{fastjson: 1, std: 6, pdataJSON: 1.5, pdataProto: 2.5, twoCores: 1.3})
	})
}

// floors are ratios that were reached.
type floors struct{ fastjson, std, pdataJSON, pdataProto, twoCores float64 }

func ratios(t *testing.T, asJSON, asProto func(*telemetrygen.Export) [][]byte, floor floors) {
	dir := t.TempDir()
	jsonFile, protoFile := filepath.Join(dir, "telemetry.jsonl"), filepath.Join(dir, "telemetry.binpb")
	write(t, jsonFile, *size, asJSON)
	write(t, protoFile, *size, asProto)

	ours := &way{procs: 1, every: 1, read: func() { retrystat(t, jsonFile, 1) }}
	two := &way{procs: 2, every: 1, read: func() { retrystat(t, jsonFile, 2) }}
	fast := &way{procs: 1, every: 1, read: func() {
		var p fastjson.Parser
		eachLine(t, jsonFile, func(line []byte) {
			_, err := p.ParseBytes(line)
			require.NoError(t, err)
		})
	}}
	std := &way{procs: 1, every: 2, read: func() { // it takes long
		eachLine(t, jsonFile, func(line []byte) {
			var v any
			require.NoError(t, json.Unmarshal(line, &v))
		})
	}}
	pdataJSON := &way{procs: 1, every: 1, read: func() {
		var m pmetric.JSONUnmarshaler
		var s ptrace.JSONUnmarshaler
		eachLine(t, jsonFile, func(line []byte) {
			var err error
			if bytes.HasPrefix(line, metricsMark) {
				_, err = m.UnmarshalMetrics(line)
			} else {
				_, err = s.UnmarshalTraces(line)
			}
			require.NoError(t, err)
		})
	}}
	ourProto := &way{procs: 1, every: 1, read: func() { retrystat(t, protoFile, 1) }}
	pdataProto := &way{procs: 1, every: 1, read: func() {
		var m pmetric.ProtoUnmarshaler
		var s ptrace.ProtoUnmarshaler
		i := 0
		eachFrame(t, protoFile, func(frame []byte) {
			var err error
			if i%2 == 0 { // metrics and spans take turns
				_, err = m.UnmarshalMetrics(frame)
			} else {
				_, err = s.UnmarshalTraces(frame)
			}
			i++
			require.NoError(t, err)
		})
	}}
	measure(ours, two, fast, std, pdataJSON, ourProto, pdataProto)

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
