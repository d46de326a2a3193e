package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/retrykit/retrykit/internal/reader/promtext"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// format reads an input of one format.
type format func(context.Context, *input, *environment) error

var (
	errEmpty    = errors.New("empty: nothing to read")
	errOnlyMark = errors.New("a byte order mark is all there is in it: nothing to read")
)

// sniff finds out by its first bytes what an input holds.
func sniff(in *input) (format, error) {
	head, err := in.reader.Peek(4096)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, err
	}
	if len(head) == 0 {
		return nil, errEmpty
	}
	text := bytes.TrimLeft(head, "\x00 \t\r\n\ufeff")
	switch {
	case looksBare(head):
		return readBare, nil
	case looksPrefixed(head):
		return readPrefixed, nil
	case len(text) == 0 && len(head) == 4096: // NULs: rotation leaves them before a first line
		return readJSON, nil
	case len(text) == 0 && bytes.IndexByte(head, 0) >= 0:
		return nil, errNotTelemetry
	case len(text) == 0 && bytes.HasPrefix(head, byteOrderMark):
		return nil, errOnlyMark
	case len(text) == 0:
		return nil, errEmpty
	case text[0] == '{' || text[0] == '[':
		return readJSON, nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, errors.New("UTF-16 text: convert it to UTF-8 first")
	case promtext.Looks(head):
		return readProm, nil
	}
	return readAfterOtherLines, nil
}

// readAfterOtherLines reads the JSON that comes after lines of another kind, as
// what a program says before it exports. None of those lines is kept, however
// long they are.
func readAfterOtherLines(ctx context.Context, in *input, env *environment) error {
	others := telemetry.Batch{Segment: in.segment}
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		head, err := in.reader.Peek(2)
		if looksJSON(head) {
			env.sink.Add(&others)
			return readJSON(ctx, in, env)
		}
		if len(head) < 2 {
			if err == io.EOF {
				err = errNotTelemetry
			}
			return err
		}
		blank := true
		for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
			var part []byte
			part, err = in.reader.ReadSlice('\n')
			others.Bytes += int64(len(part))
			blank = blank && len(trim(part)) == 0
		}
		if err != nil && err != io.EOF {
			return err
		}
		in.line++
		if !blank {
			others.Skip(reasonNotJSON, fmt.Sprintf("%s:%d", in.name, in.line))
		}
	}
}

// looksJSON reports whether a line begins a document. Two characters tell it
// from most of what is in binary files.
func looksJSON(head []byte) bool {
	if len(head) < 2 {
		return false
	}
	return head[0] == '{' && bytes.IndexByte([]byte("\" \t\r\n"), head[1]) >= 0 ||
		head[0] == '[' && bytes.IndexByte([]byte("{ \t\r\n"), head[1]) >= 0
}
