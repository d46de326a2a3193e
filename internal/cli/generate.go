package cli

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// newGenerate is hidden: it is for trying things out and for benchmarks.
func newGenerate() *cobra.Command {
	var c telemetrygen.Config
	var size int64
	cmd := &cobra.Command{
		Use:    "generate",
		Short:  "Write OTLP/JSON lines of imagined services, with known totals",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
			var written int64
			for round := int64(0); ; round++ {
				config := c
				config.Seed += uint64(round)
				_, err := telemetrygen.Generate(config, func(e *telemetrygen.Export) error {
					if size > 0 && written >= size {
						return nil
					}
					for _, line := range [][]byte{e.MetricsJSON(telemetrygen.JSONOptions{}), e.SpansJSON(telemetrygen.JSONOptions{})} {
						n, err := out.Write(line)
						written += int64(n)
						if err != nil {
							return fmt.Errorf("writing: %w", err)
						}
					}
					return nil
				})
				if err != nil {
					return err
				}
				if size == 0 || written >= size {
					return out.Flush()
				}
				c.Start = c.Start.AddDate(0, 0, 30)
			}
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&c.Seed, "seed", 1, "seed of everything random")
	f.IntVar(&c.Requests, "requests", 1000, "requests")
	f.IntVar(&c.Operations, "operations", 2, "operations")
	f.IntVar(&c.Replicas, "replicas", 1, "replicas")
	f.IntVar(&c.Restarts, "restarts", 0, "restarts of each replica")
	f.DurationVar(&c.Interval, "interval", 0, "time between exports (10s)")
	f.BoolVar(&c.Delta, "delta", false, "delta temporality")
	f.BoolVar(&c.Exponential, "exponential", false, "exponential histograms")
	f.BoolVar(&c.NoMetrics, "no-metrics", false, "spans alone")
	f.BoolVar(&c.NoSpans, "no-spans", false, "metrics alone")
	f.IntVar(&c.Noise, "noise", 0, "metrics of others per export")
	f.Int64Var(&size, "size", 0, "write about this many bytes instead")
	return cmd
}
