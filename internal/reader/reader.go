// Package reader turns files into samples and spans. It finds out by content
// what a file holds, takes compression off, and leaves the decoding of each
// format to a package of its own beneath it.
package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// Sink takes what was read, on the goroutine that called Read.
type Sink interface {
	AddFile()
	Add(*telemetry.Batch)
	Skip(telemetry.Skip)
}

// Options say how to read.
type Options struct {
	Stdin    io.Reader
	Workers  int // GOMAXPROCS when 0
	Progress *Progress
	Registry *telemetry.Registry
}

// environment is what the reading of one input needs besides the input.
type environment struct {
	registry *telemetry.Registry
	workers  int
	batches  []batches // of each worker
	sink     Sink
	progress *Progress

	recognised bool            // something of the input at hand was telemetry
	skipped    *telemetry.Skip // the first thing of it that was left out
}

func newEnvironment(sink Sink, options Options) *environment {
	env := &environment{
		registry: options.Registry, workers: options.Workers, sink: sink, progress: options.Progress,
	}
	if env.workers <= 0 {
		env.workers = runtime.GOMAXPROCS(0)
	}
	for range env.workers {
		env.batches = append(env.batches, newBatches())
	}
	return env
}

// deliver hands what a worker decoded to the sink.
func (e *environment) deliver(r result) error {
	b := r.batch
	e.recognised = e.recognised || b.Recognised
	if e.skipped == nil && len(b.Skips) > 0 {
		first := b.Skips[0]
		e.skipped = &first
	}
	e.sink.Add(b)
	r.home.put(b)
	return nil
}

// Read reads every path in order: files, directories, and "-" for standard
// input. A file that can't be read, or that is no telemetry, does not keep the
// others from being read; the errors of all of them are joined. When the
// context ends, what was read so far has been handed to the sink.
func Read(ctx context.Context, paths []string, sink Sink, options Options) error {
	env := newEnvironment(sink, options)
	files, left, err := expand(paths)
	errs := []error{err}
	files, again := once(files)
	leave(sink, left, again)
	env.progress.start(files)
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		err := readFile(ctx, f, i, env, options.Stdin)
		if reason := passedOver(err); f.found && reason != "" {
			sink.Skip(telemetry.Skip{Reason: reason, Count: 1, Where: f.path})
			continue
		}
		if err != nil && ctx.Err() != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// leave counts files that are not read, because of what they are or because they
// are among the others already.
func leave(sink Sink, left []telemetry.Skip, again []string) {
	for _, s := range left {
		sink.Skip(s)
	}
	for _, path := range again {
		sink.Skip(telemetry.Skip{Reason: reasonAgain, Count: 1, Where: path})
	}
}

func readFile(ctx context.Context, f file, segment int, env *environment, stdin io.Reader) error {
	in, err := open(ctx, f, segment, env, stdin)
	if err != nil {
		return err
	}
	defer in.close()
	env.sink.AddFile()
	return readInput(ctx, in, env)
}

func readInput(ctx context.Context, in *input, env *environment) error {
	env.recognised, env.skipped = false, nil
	read, err := sniff(in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if err := read(ctx, in, env); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if in.cutShort != "" {
		env.sink.Skip(telemetry.Skip{Reason: in.cutShort + " data that ends early", Count: 1, Where: in.name})
	}
	switch {
	case env.recognised:
		return nil
	case env.skipped != nil && env.skipped.Reason != reasonNotJSON:
		return fmt.Errorf("%s at %s: %w", env.skipped.Reason, env.skipped.Where, errNotTelemetry)
	}
	return fmt.Errorf("%s: %w", in.name, errNotTelemetry)
}

// passedOver is why a file of a directory is left out; "" when its error is one.
func passedOver(err error) string {
	switch {
	case errors.Is(err, errEmpty), errors.Is(err, errOnlyMark):
		return "empty file"
	case errors.Is(err, errNotTelemetry):
		return "file that is not telemetry"
	case errors.Is(err, errCutShort): // as of one that is just being written
		return "compressed file that ends before anything of it can be read"
	}
	return ""
}

const reasonAgain = "file that was read already"

var errNotTelemetry = errors.New("no telemetry in it; expected OTLP (JSON or protobuf), the Go stdout exporters' JSON, Prometheus text, or Jaeger or Tempo traces, plain or in gzip or zstd")
