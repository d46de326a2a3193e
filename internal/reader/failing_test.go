package reader_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// What was read whole before reading fails is in the figures, however many
// read, and also behind a line that is too long.
func TestWhatCameBeforeAFailureIsCounted(t *testing.T) {
	gone := errors.New("disk gone")
	long := func() io.Reader { return io.LimitReader(endless('x'), 300*mib) }
	for name, tt := range map[string]struct {
		input   func() io.Reader
		points  int64
		skipped int
	}{
		"lines":                  {func() io.Reader { return strings.NewReader(strings.Repeat(one, 3) + one[:40]) }, 3, 0},
		"many lines":             {func() io.Reader { return strings.NewReader(strings.Repeat(one, 30_000) + one[:40]) }, 30_000, 0},
		"Prometheus text":        {func() io.Reader { return strings.NewReader("# TYPE a counter\na 1\na 2\na 34") }, 2, 1},
		"before a line too long": {func() io.Reader { return io.MultiReader(strings.NewReader(one+`{"`), long()) }, 1, 1},
	} {
		for _, workers := range []int{1, 2, 5} {
			b := figures.NewBuilder(figures.Options{})
			err := reader.Read(t.Context(), []string{"-"}, b, reader.Options{
				Stdin: io.MultiReader(tt.input(), iotest.ErrReader(gone)), Workers: workers, Registry: telemetry.NewRegistry(dialect.Catalog(), 0),
			})
			require.ErrorIs(t, err, gone, name)
			s := b.Summary()
			assert.Equal(t, tt.points, s.Input.Points, "%s, %d workers", name, workers)
			assert.Len(t, s.Input.Skipped, tt.skipped, "%s, %d workers", name, workers)
		}
	}
}
