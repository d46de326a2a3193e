package reader

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/retrykit/retrykit/internal/reader/promtext"
)

// format reads an input of one format.
type format func(context.Context, *input, *environment) error

var errEmpty = errors.New("empty: nothing to read")

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
	case len(text) == 0:
		return nil, errEmpty
	case text[0] == '{' || text[0] == '[':
		return readJSON, nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, errors.New("UTF-16 text: convert it to UTF-8 first")
	case promtext.Looks(head):
		return readProm, nil
	case bytes.Contains(head, []byte("\n{\"")):
		return readJSON, nil // other lines before the first document
	}
	return nil, errNotTelemetry
}
