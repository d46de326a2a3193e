package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/retrykit/retrykit/internal/reader/promtext"
)

// maxPromLine bounds a line of an exposition.
const maxPromLine = 1 << 20

// readProm reads Prometheus text or OpenMetrics. Its lines depend on each
// other, so that one goroutine decodes them.
func readProm(ctx context.Context, in *input, env *environment) error {
	d := promtext.New(env.registry)
	home := env.batches[0]
	b := home.get(in.segment)
	r := bufio.NewReaderSize(in.reader, maxPromLine)
	for number := 1; ; number++ {
		line, err := r.ReadSlice('\n')
		b.Bytes += int64(len(line))
		where := ""
		if len(line) > 0 && line[0] != '#' {
			where = fmt.Sprintf("%s:%d", in.name, number)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			b.Skip("line longer than 1 MiB", where)
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = r.ReadSlice('\n')
				b.Bytes += int64(len(line))
			}
		} else if text := bytes.TrimSpace(line); err != nil && len(text) > 0 && text[0] != '#' {
			b.Skip("line without an end, which may be cut short", where)
		} else {
			d.Line(line, b, where)
		}
		if err != nil { // what came before a failure counts
			d.Flush(b)
			delivered := env.deliver(result{b, home})
			if err != io.EOF {
				return err
			}
			return delivered
		}
		if b.Bytes >= chunkSize {
			if err := env.deliver(result{b, home}); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			b = home.get(in.segment)
		}
	}
}
