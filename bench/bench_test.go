package bench

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/bench/internal/cases"
)

func all() []cases.Case {
	return slices.Concat([]cases.Case{cases.HandWritten(), cases.HandWrittenContext()}, cases.Otelretry(), cases.Peers())
}

// Every case must do what its scenario says, or its figure means nothing.
func TestCasesDoWhatTheyMeasure(t *testing.T) {
	for _, c := range all() {
		for _, s := range cases.Scenarios() {
			t.Run(c.Name+"/"+s.Name, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				err := c.Make(s)(ctx)
				if s.Name == cases.Permanent.Name {
					require.Error(t, err)
					return
				}
				require.NoError(t, err)
			})
		}
	}
}

// The first attempt of the bare cases has no failure to tell.
func TestTelemetryCases(t *testing.T) {
	for _, c := range cases.Telemetry() {
		require.NoError(t, c.Make(cases.FirstAttempt)(t.Context()))
	}
}

func BenchmarkSequential(b *testing.B) {
	run(b, func(b *testing.B, request func(context.Context) error) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		for b.Loop() {
			_ = request(ctx)
		}
	})
}

func BenchmarkParallel(b *testing.B) {
	run(b, func(b *testing.B, request func(context.Context) error) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				_ = request(ctx)
			}
		})
	})
}

func run(b *testing.B, loop func(*testing.B, func(context.Context) error)) {
	for _, s := range cases.Scenarios() {
		list := all()
		if s.Name == cases.FirstAttempt.Name {
			list = append(list, cases.Telemetry()...)
		}
		for _, c := range list {
			b.Run(s.Name+"/"+c.Name, func(b *testing.B) {
				b.ReportAllocs()
				loop(b, c.Make(s))
			})
		}
	}
}
