package reader

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/retrykit/retrykit/internal/reader/ordered"
	"github.com/retrykit/retrykit/internal/reader/otlpproto"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// frames are messages that lie in data, between their headers.
type frames struct {
	buf    buffer
	data   []byte
	at     []framed
	offset int64 // of data in the input, for messages about it
	skip   string
	skipAt int64
}

// framed is where a message is: its frame's start, and its own start and end.
type framed struct{ frame, from, to int }

// protoHeads are the first bytes that a message within a resource's may have:
// a resource, its scopes, or a schema URL.
func isResourceHead(b byte) bool { return b == 0x0a || b == 0x12 || b == 0x1a }

// isText reports whether the bytes are text, whose last character may be cut.
// 0x0a, which begins a message, is the end of a line too.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(head)
		}
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
		head = head[n:]
	}
	return true
}

// looksBare reports whether head begins an export request: field 1 with a
// length, within which a resource begins.
func looksBare(head []byte) bool {
	if len(head) < 4 || head[0] != 0x0a || isText(head) {
		return false
	}
	size, n := binary.Uvarint(head[1:])
	return n > 0 && size > 2 && size <= maxDocument && len(head) > 1+n && isResourceHead(head[1+n])
}

// looksPrefixed reports whether head begins with a 4-byte big-endian length
// and what the collector's file exporter writes after one: protobuf, or a zstd
// frame of protobuf or JSON.
func looksPrefixed(head []byte) bool {
	if len(head) < 9 {
		return false
	}
	size := binary.BigEndian.Uint32(head)
	if size < 4 || size > maxDocument {
		return false
	}
	body := head[4:]
	return looksBare(body) || string(body[:4]) == string(zstdMagic) || body[0] == '{' && body[1] == '"'
}

func readBare(ctx context.Context, in *input, env *environment) error {
	return readFrames(ctx, in, env, bareFrame, func(d *payloadDecoder, data []byte, b *telemetry.Batch, where string) error {
		return d.proto.Resource(data, b, where)
	})
}

func readPrefixed(ctx context.Context, in *input, env *environment) error {
	return readFrames(ctx, in, env, prefixedFrame, (*payloadDecoder).payload)
}

// frameFunc finds the frame that data begins with: where its message is, or,
// when it has none, from < 0; to is where the next frame begins, which is past
// the end of data when more of it is needed.
type frameFunc func(data []byte) (from, to int, err error)

var errFrame = errors.New("a frame that is cut short, or whose length lies")

// readFrames reads messages and decodes them on several goroutines.
func readFrames(ctx context.Context, in *input, env *environment, next frameFunc,
	decode func(*payloadDecoder, []byte, *telemetry.Batch, string) error,
) error {
	collector := &frameCollector{in: in, find: next}
	return ordered.Run(ctx, env.workers, collector.next,
		func(number int) func(*frames) result {
			d := newPayloadDecoder(env.registry, in.name)
			home := env.batches[number]
			return func(f *frames) result {
				b := home.get(in.segment)
				b.Bytes = int64(len(f.data))
				for _, x := range f.at {
					d.one(f.data[x.from:x.to], f.offset+int64(x.frame), b, decode)
				}
				if f.skip != "" {
					b.Skip(f.skip, fmt.Sprintf("%s:byte %d", in.name, f.skipAt))
				}
				f.buf.release()
				if cap(f.at) > maxKeptItems {
					f.at = nil
				}
				return result{b, home}
			}
		},
		env.deliver)
}

// frameCollector cuts the input into stretches of whole frames. A frame that is
// longer than a stretch makes the buffer grow as its data comes, so that a
// length that lies costs no more memory than there is data.
type frameCollector struct {
	in     *input
	find   frameFunc
	offset int64  // of the next stretch
	rest   []byte // was read, and comes next; in the buffer of the stretch before
	begun  bool
	ended  bool
	err    error // why reading failed, for after what was read before
}

// next fills a stretch; false at the end of the input.
func (c *frameCollector) next(f *frames) (bool, error) {
	if c.ended || c.err != nil {
		return false, c.err
	}
	n := f.buf.begin(c.rest, !c.begun)
	c.begun, c.rest = true, nil
	f.at, f.offset, f.skip = f.at[:0], c.offset, ""
	pos := 0 // how much is whole frames
	for {
		m, err := c.in.reader.Read(f.buf[n:])
		n += m
		c.ended = err == io.EOF
		if !c.ended {
			c.err = err
		}
		for pos < n {
			from, to, err := c.find(f.buf[pos:n])
			if err == nil && to > n-pos && !c.ended {
				break
			}
			if err != nil || to > n-pos {
				f.skip, f.skipAt = errFrame.Error(), f.offset+int64(pos)
				c.ended = true // where the next frame begins is not known
				break
			}
			if from >= 0 {
				f.at = append(f.at, framed{pos, pos + from, pos + to})
			}
			pos += to
		}
		switch {
		case c.ended:
			f.data = f.buf[:n]
			return n > 0, nil
		case c.err != nil && pos == 0:
			return false, c.err
		case c.err != nil:
			f.data = f.buf[:pos]
			return true, nil
		case pos > 0 && n == len(f.buf):
			f.data, c.rest = f.buf[:pos], f.buf[pos:n]
			c.offset += int64(pos)
			return true, nil
		case n == len(f.buf):
			f.buf.grow()
		}
	}
}

// bareFrame finds a message of field 1, or another field, which has none.
func bareFrame(data []byte) (from, to int, err error) {
	num, kind, n := protowire.ConsumeTag(data)
	if n < 0 {
		return shortOrLie(data, n)
	}
	size := 0
	switch kind {
	case protowire.BytesType:
		length, m := protowire.ConsumeVarint(data[n:])
		if m < 0 {
			return shortOrLie(data, m)
		}
		if length > maxDocument {
			return -1, 0, errFrame
		}
		n, size = n+m, int(length)
	case protowire.VarintType:
		_, m := protowire.ConsumeVarint(data[n:])
		if m < 0 {
			return shortOrLie(data, m)
		}
		size = m
	case protowire.Fixed64Type:
		size = 8
	case protowire.Fixed32Type:
		size = 4
	default:
		return -1, 0, errFrame
	}
	if num != 1 || kind != protowire.BytesType {
		return -1, n + size, nil
	}
	return n, n + size, nil
}

// shortOrLie says what is wrong with a frame's beginning: that there is more to
// come, or nothing that could make it right.
func shortOrLie(data []byte, code int) (from, to int, err error) {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return -1, len(data) + 1, nil
	}
	return -1, 0, errFrame
}

// prefixedFrame finds a message after its 4-byte length.
func prefixedFrame(data []byte) (from, to int, err error) {
	if len(data) < 4 {
		return -1, len(data) + 1, nil
	}
	size := binary.BigEndian.Uint32(data)
	if size > maxDocument {
		return -1, 0, errFrame
	}
	return 4, 4 + int(size), nil
}

// payloadDecoder decodes what a frame holds.
type payloadDecoder struct {
	name  string
	proto *otlpproto.Decoder
	json  *documentDecoder
	zstd  *zstd.Decoder
}

func newPayloadDecoder(registry *telemetry.Registry, name string) *payloadDecoder {
	return &payloadDecoder{name: name, proto: otlpproto.New(registry), json: newDocumentDecoder(registry, name)}
}

// one decodes a frame into b, or notes why it can't.
func (d *payloadDecoder) one(data []byte, offset int64, b *telemetry.Batch,
	decode func(*payloadDecoder, []byte, *telemetry.Batch, string) error,
) {
	where := fmt.Sprintf("%s:byte %d", d.name, offset)
	mark := b.Mark()
	if err := decode(d, data, b, where); err != nil {
		b.Rollback(mark)
		b.Skip("malformed frame", where+": "+err.Error())
	}
}

func (d *payloadDecoder) payload(data []byte, b *telemetry.Batch, where string) error {
	if len(data) >= 4 && string(data[:4]) == string(zstdMagic) {
		if d.zstd == nil {
			z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxZstdFrame), zstd.WithDecoderConcurrency(1))
			if err != nil {
				return err
			}
			d.zstd = z
		}
		plain, err := d.zstd.DecodeAll(data, nil)
		if err != nil {
			return fmt.Errorf("zstd: %w", err)
		}
		b.Bytes += int64(len(plain) - len(data))
		data = plain
	}
	if len(data) > 0 && data[0] == '{' {
		d.json.document(trim(data), 0, b)
		return nil
	}
	return d.proto.Message(data, b, where)
}
