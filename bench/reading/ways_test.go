package reading

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
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
)

// ways of reading a file, by name.
var ways = map[string]func(path string) error{
	"retrystat": retrystat, // as many goroutines as processors
	"fastjson":  readFastjson, "encoding/json": readStd, "pdata JSON": readPdataJSON,
	"pdata protobuf": readPdataProto,
}

func retrystat(path string) error {
	b := figures.NewBuilder(figures.Options{})
	err := reader.Read(context.Background(), []string{path}, b, reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)})
	if err != nil {
		return err
	}
	if s := b.Summary(); len(s.Operations) == 0 || len(s.Input.Skipped) > 0 {
		return fmt.Errorf("%d operations, %d kinds of things left out", len(s.Operations), len(s.Input.Skipped))
	}
	return nil
}

func readFastjson(path string) error {
	var p fastjson.Parser
	return eachLine(path, func(line []byte) error {
		_, err := p.ParseBytes(line)
		return err
	})
}

func readStd(path string) error {
	return eachLine(path, func(line []byte) error {
		var v any
		return json.Unmarshal(line, &v)
	})
}

var metricsMark = []byte(`{"resourceMetrics"`)

func readPdataJSON(path string) error {
	var m pmetric.JSONUnmarshaler
	var s ptrace.JSONUnmarshaler
	return eachLine(path, func(line []byte) (err error) {
		if bytes.HasPrefix(line, metricsMark) {
			_, err = m.UnmarshalMetrics(line)
		} else {
			_, err = s.UnmarshalTraces(line)
		}
		return err
	})
}

func readPdataProto(path string) error {
	var m pmetric.ProtoUnmarshaler
	var s ptrace.ProtoUnmarshaler
	i := 0
	return eachFrame(path, func(frame []byte) (err error) {
		if i++; i%2 == 1 { // metrics and spans take turns
			_, err = m.UnmarshalMetrics(frame)
		} else {
			_, err = s.UnmarshalTraces(frame)
		}
		return err
	})
}

func eachLine(path string, f func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 1<<20), 256<<20)
	for lines.Scan() {
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func eachFrame(path string, f func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<20)
	var head [4]byte
	var buf []byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return unlessEnd(err)
		}
		n := int(binary.BigEndian.Uint32(head[:]))
		if cap(buf) < n {
			buf = make([]byte, 2*n)
		}
		if _, err := io.ReadFull(r, buf[:n]); err != nil {
			return err
		}
		if err := f(buf[:n]); err != nil {
			return err
		}
	}
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// measured is what one run took: processor time, which unlike the wall clock
// does not depend on what else the machine does, and the wall clock's.
type measured struct{ cpu, wall time.Duration }

func measure(f func() error) (measured, error) {
	runtime.GC()
	c, t := cpu(), time.Now()
	err := f()
	return measured{cpu() - c, time.Since(t)}, err
}

func (m *measured) least(o measured) { m.cpu, m.wall = min(m.cpu, o.cpu), min(m.wall, o.wall) }

// never is more than any run takes.
var never = measured{1 << 62, 1 << 62}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestMain reads a file when the environment asks for it, instead of testing:
// each way is measured in a process of its own, so that none pays for giving
// back what another one allocated. It reads twice, the second time in memory
// that the first one took.
func TestMain(m *testing.M) {
	way, ok := os.LookupEnv(wayVariable)
	if !ok {
		os.Exit(m.Run())
	}
	best := never
	for range 2 {
		took, err := measure(func() error { return ways[way](os.Args[1]) })
		if err != nil {
			fmt.Fprintln(os.Stderr, way+":", err)
			os.Exit(2)
		}
		best.least(took)
	}
	fmt.Println(best.cpu.Nanoseconds(), best.wall.Nanoseconds())
}

const wayVariable = "RETRYKIT_BENCH_WAY"

// A turn is a way of reading a file that is measured, on that many processors,
// in every so many rounds, by one process or by two at once.
type turn struct {
	way, path    string
	procs, every int
	twins        bool
	best         measured
}

// rounds of measuring. Each way has its turn in each of them, or in every so
// many, so that a machine whose speed drifts does not favour one that ran in a
// better hour.
const rounds = 3

func takeTurns(t *testing.T, turns ...*turn) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, x := range turns {
		x.best = never
	}
	for round := range rounds {
		for _, x := range turns {
			if round%x.every != 0 {
				continue
			}
			took := x.start(t, self)()
			x.best.least(took)
		}
	}
}

// start starts a process that reads the file, or two, and returns what waits for
// what it took; of two, the one that took longer.
func (x *turn) start(t *testing.T, self string) (wait func() measured) {
	cmd := exec.CommandContext(t.Context(), self, x.path)
	cmd.Env = slices.Concat(os.Environ(), []string{wayVariable + "=" + x.way, "GOMAXPROCS=" + strconv.Itoa(x.procs)})
	cmd.Stderr = os.Stderr
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start(), x.way)
	twin := func() measured { return measured{} }
	if x.twins {
		one := *x
		one.twins = false
		twin = one.start(t, self)
	}
	return func() measured {
		other := twin()
		require.NoError(t, cmd.Wait(), x.way)
		var took measured
		_, err := fmt.Sscan(out.String(), &took.cpu, &took.wall)
		require.NoError(t, err, "%s", out.String())
		return measured{max(took.cpu, other.cpu), max(took.wall, other.wall)}
	}
}
