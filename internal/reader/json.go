package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/retrykit/retrykit/internal/reader/jaegerjson"
	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/reader/ordered"
	"github.com/retrykit/retrykit/internal/reader/otlpjson"
	"github.com/retrykit/retrykit/internal/reader/stdoutjson"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Sizes of the stretches in which workers read input, and of the largest
// document that is kept in memory. What goes from one processor to another has
// its price: with stretches of 512 KiB two of them read a tenth slower.
const (
	firstChunk  = 64 << 10 // most inputs are small
	chunkSize   = 2 << 20
	maxDocument = 256 << 20
	// maxKept is the longest buffer that a worker keeps: files that have one
	// long document have many.
	maxKept = 8 << 20
)

// Reasons for leaving out JSON.
const (
	reasonNotJSON      = "line that is not JSON"
	reasonNotTelemetry = "JSON that is not telemetry"
	reasonMalformed    = "malformed JSON"
	reasonLong         = "document longer than 256 MiB"
)

// chunk is a stretch of whole documents.
type chunk struct {
	buf  buffer
	data []byte
	line int   // number of the first line
	ends []int // of documents that span lines: where each one ends; nil: one a line

	skip   string // why a line was passed over instead
	passed int64  // bytes of it, and of blanks
}

// readJSON reads JSON documents, one a line or spread over lines.
func readJSON(ctx context.Context, in *input, env *environment) error {
	framer := &jsonFramer{in: in, line: in.line + 1}
	return ordered.Run(ctx, env.workers, framer.next,
		func(number int) func(*chunk) result {
			d := newDocumentDecoder(env.registry, in.name)
			home := env.batches[number]
			return func(c *chunk) result {
				b := home.get(in.segment)
				d.chunk(c, b)
				b.Bytes = int64(len(c.data)) + c.passed
				c.buf.release()
				return result{b, home}
			}
		},
		env.deliver)
}

// jsonFramer cuts the input into chunks. Whether documents span lines is
// decided by the first line that begins one.
type jsonFramer struct {
	in    *input
	line  int    // number of the next line
	rest  []byte // was read, and comes next; in the buffer of the chunk before
	seen  int    // bytes of rest that were searched for the end of a line
	begun bool
	ended bool
	err   error // why reading failed, for after what was read before

	spread, decided bool
	documents       docFramer
}

// next fills a chunk; false at the end of the input.
func (f *jsonFramer) next(c *chunk) (bool, error) {
	if f.ended || f.err != nil {
		return false, f.err
	}
	n := c.buf.begin(f.rest, !f.begun)
	f.begun, f.rest = true, nil
	c.data, c.ends, c.skip, c.passed = nil, nil, "", 0
	for {
		m, err := f.in.reader.Read(c.buf[n:])
		n += m
		if n == m { // at the start of a line or document: drop what rotation left
			if k := n - len(bytes.TrimLeft(c.buf[:n], "\x00")); k > 0 {
				n = copy(c.buf, c.buf[k:n])
				c.passed += int64(k)
			}
		}
		f.ended = err == io.EOF
		if !f.ended {
			f.err = err
		}
		if n < len(c.buf) && err == nil {
			continue
		}
		cut, ends := f.cut(c.buf[:n])
		switch {
		case cut > 0:
			f.rest, f.seen = c.buf[cut:n], n-cut
			c.data, c.line, c.ends = c.buf[:cut], f.line, ends
			f.past(c.data)
			return true, nil
		case f.ended || f.err != nil:
			return false, f.err
		}
		blank := n - len(bytes.TrimLeft(c.buf[:n], blanks))
		switch {
		case blank == n:
			f.past(c.buf[:n])
			f.seen, f.documents = 0, docFramer{}
			c.passed += int64(n)
			n = 0
			continue
		case !beginsDocument(c.buf[blank]):
			f.pass(c, n, blank, reasonNotJSON)
			return true, nil
		case n >= maxDocument:
			f.pass(c, n, blank, reasonLong)
			return true, nil
		}
		f.seen = n
		c.buf.grow()
	}
}

// blanks may be before a document.
const blanks = " \t\r\n,\x00\ufeff"

func beginsDocument(c byte) bool { return c == '{' || c == '[' }

// past counts the lines of what was read.
func (f *jsonFramer) past(data []byte) {
	f.line += bytes.Count(data, newline)
	f.in.line = f.line - 1
}

// pass passes over what is in the buffer, which has some blanks first, and over
// the rest of its last line.
func (f *jsonFramer) pass(c *chunk, n, blank int, reason string) {
	f.past(c.buf[:blank])
	c.skip, c.line = reason, f.line
	f.past(c.buf[blank:n])
	rest, passed, found, err := discardLine(f.in.reader, c.buf)
	c.passed += int64(n) + passed
	if found {
		f.past(newline)
	}
	f.rest, f.seen, f.documents, f.ended, f.err = rest, 0, docFramer{}, !found, err
}

// cut returns how much of data is whole documents, and where those end that
// span lines.
func (f *jsonFramer) cut(data []byte) (int, []int) {
	if !f.decided {
		f.spread, f.decided = spansLines(data, f.ended)
	}
	switch {
	case f.decided && f.spread:
		return f.documents.cut(data, f.ended)
	case f.ended:
		return len(data), nil
	}
	if i := lastLine(data[f.seen:]); i >= 0 {
		return f.seen + i + 1, nil
	}
	return 0, nil
}

var (
	newline       = []byte{'\n'}
	byteOrderMark = []byte("\ufeff")
)

// lastLine is bytes.LastIndexByte for the end of a line, by blocks: forwards,
// which lines of megabytes need, many bytes are looked at at once.
func lastLine(data []byte) int {
	const block = 4 << 10
	for end := len(data); end > 0; {
		start := max(0, end-block)
		if bytes.IndexByte(data[start:end], '\n') >= 0 {
			return start + bytes.LastIndexByte(data[start:end], '\n')
		}
		end = start
	}
	return -1
}

// discardLine reads past the next newline. It returns what it read after it, and
// how many bytes came before.
func discardLine(r io.Reader, buf []byte) (rest []byte, passed int64, found bool, err error) {
	for {
		n, err := r.Read(buf)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return buf[i+1 : n], passed + int64(i) + 1, true, nil
		}
		passed += int64(n)
		if err == io.EOF {
			return nil, passed, false, nil
		}
		if err != nil {
			return nil, passed, false, err
		}
	}
}

// spansLines reports whether the first document in data goes on past its line.
func spansLines(data []byte, end bool) (spread, decided bool) {
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, newline)
		line = trim(line)
		if len(line) > 0 && beginsDocument(line[0]) {
			if !whole {
				return false, end
			}
			var s jsonscan.Scanner
			s.Init(line)
			s.Skip()
			// A line that was cut short ends inside a document too; then the
			// next one begins another.
			next := trim(rest)
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				next = bytes.TrimRight(rest[:i], "\r\n\t ")
			}
			return errors.Is(s.Err(), jsonscan.ErrTruncated) && (len(line) == 1 || len(next) == 0 || next[0] != '{'), true
		}
		data = rest
	}
	return false, end
}

func trim(line []byte) []byte {
	line = bytes.TrimLeft(line, "\x00\ufeff")
	return bytes.TrimSpace(bytes.Trim(line, "\x00"))
}

// docFramer finds the ends of documents that span lines. It remembers where it
// was, so that a long document is looked at once.
type docFramer struct {
	pos      int // looked at so far, from the start of the buffer
	depth    int
	inString bool
}

// cut returns how much of data is whole documents, and where each one ends.
// Inside a document, a line that begins with a brace at its first column
// begins the next one: the writer of the former was stopped.
func (f *docFramer) cut(data []byte, end bool) (int, []int) {
	var ends []int
	i := f.pos
	for i < len(data) {
		c := data[i]
		switch {
		case f.inString:
			n := bytes.IndexAny(data[i:], "\"\\\n")
			if n < 0 {
				i = len(data)
				continue
			}
			i += n
			switch data[i] {
			case '"':
				f.inString = false
			case '\\':
				if i+1 >= len(data) && !end {
					f.pos = i
					return f.done(data, ends, end)
				}
				i++
			case '\n': // no string has one: it was cut short
				f.inString = false
				continue
			}
		case c == '"' && f.depth > 0:
			f.inString = true
		case c == '{' || c == '[':
			if f.depth > 0 && i > 0 && data[i-1] == '\n' && c == '{' {
				ends = append(ends, i)
				f.depth = 0
			}
			f.depth++
		case (c == '}' || c == ']') && f.depth > 0:
			f.depth--
			if f.depth == 0 {
				ends = append(ends, i+1)
			}
		case f.depth == 0 && c == byteOrderMark[0] && !end && len(data)-i < len(byteOrderMark):
			f.pos = i
			return f.done(data, ends, end)
		case f.depth == 0 && bytes.HasPrefix(data[i:], byteOrderMark): // at the start, and of each of several files in a row
			i += len(byteOrderMark)
			continue
		case f.depth == 0 && c > ' ' && c != 0 && c != ',':
			n := bytes.IndexByte(data[i:], '\n')
			if n < 0 {
				i = len(data)
				continue
			}
			i += n
			ends = append(ends, i)
		}
		i++
	}
	f.pos = min(i, len(data))
	return f.done(data, ends, end)
}

func (f *docFramer) done(data []byte, ends []int, end bool) (int, []int) {
	if end && len(trim(data)) > 0 && (len(ends) == 0 || len(trim(data[ends[len(ends)-1]:])) > 0) {
		ends = append(ends, len(data))
	}
	if len(ends) == 0 {
		if end {
			return len(data), []int{}
		}
		return 0, nil
	}
	cut := ends[len(ends)-1]
	if end {
		cut = len(data)
	}
	f.pos -= cut
	f.pos = max(0, f.pos)
	return cut, ends
}

// documentDecoder decodes documents of every JSON format; which one a document
// has follows from its keys.
type documentDecoder struct {
	name   string
	otlp   *otlpjson.Decoder
	stdout *stdoutjson.Decoder
	jaeger *jaegerjson.Decoder
	scan   jsonscan.Scanner
}

func newDocumentDecoder(registry *telemetry.Registry, name string) *documentDecoder {
	return &documentDecoder{
		name: name, otlp: otlpjson.New(registry), stdout: stdoutjson.New(registry), jaeger: jaegerjson.New(registry),
	}
}

func (d *documentDecoder) chunk(c *chunk, b *telemetry.Batch) {
	if c.skip != "" {
		b.Skip(c.skip, d.place(c.line))
		return
	}
	if c.ends != nil {
		start, line := 0, c.line
		for _, end := range c.ends {
			doc := c.data[start:end]
			lead := len(doc) - len(bytes.TrimLeft(doc, " \t\r\n,\x00"))
			line += bytes.Count(doc[:lead], newline)
			d.document(trim(doc[lead:]), line, b)
			line += bytes.Count(doc[lead:], newline)
			start = end
		}
		return
	}
	data, line := c.data, c.line
	for len(data) > 0 {
		text := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			text, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		if len(text) > 0 && text[0] != '{' {
			text = trim(text)
		}
		d.document(text, line, b)
		line++
	}
}

func (d *documentDecoder) place(line int) string { return fmt.Sprintf("%s:%d", d.name, line) }

// document decodes one document into b, or notes why it can't.
func (d *documentDecoder) document(text []byte, line int, b *telemetry.Batch) {
	if len(text) == 0 {
		return
	}
	if !beginsDocument(text[0]) {
		b.Skip(reasonNotJSON, d.place(line))
		return
	}
	mark := b.Mark()
	d.scan.Init(text)
	recognised := d.value(&d.scan, b, line, 0)
	err := d.scan.Err()
	if err == nil && !d.scan.AtEnd() {
		err = errors.New("text after the document")
	}
	switch {
	case err != nil:
		b.Rollback(mark)
		if errors.Is(err, jsonscan.ErrTruncated) {
			b.Skip("truncated JSON", d.place(line))
			return
		}
		b.Skip(reasonMalformed, d.place(line)+": "+err.Error())
	case !recognised:
		b.Skip(reasonNotTelemetry, d.place(line))
	default:
		b.Recognised = true
	}
}

// value decodes one JSON value; false when it holds no telemetry.
func (d *documentDecoder) value(s *jsonscan.Scanner, b *telemetry.Batch, line, depth int) bool {
	if depth > 4 {
		s.Skip()
		return false
	}
	recognised := false
	if s.Peek() == '[' {
		s.Array()
		for s.Next() {
			recognised = d.value(s, b, line, depth+1) || recognised
		}
		return recognised
	}
	if s.Peek() != '{' {
		s.Skip()
		return false
	}
	start := s.Pos()
	s.Object()
	where := ""
	for {
		key, ok := s.Key()
		if !ok {
			return recognised
		}
		if where == "" {
			where = d.place(line)
		}
		switch string(key) {
		case "resourceMetrics", "resource_metrics":
			d.otlp.Metrics(s, b, where)
			recognised = true
		case "resourceSpans", "resource_spans", "batches":
			d.otlp.Spans(s, b, where)
			recognised = true
		case "resourceLogs", "resource_logs", "resourceProfiles", "resource_profiles":
			s.Skip() // telemetry, and none about retries
			recognised = true
		case "trace", "result", "data": // Tempo's and Jaeger's wrappings
			recognised = d.value(s, b, line, depth+1) || recognised
		case "spans":
			d.jaeger.Spans(s, b, where)
			recognised = true
		default:
			if stdoutjson.Owns(key) {
				s.Seek(start)
				return d.stdout.Document(s, b, where)
			}
			s.Skip()
		}
	}
}
