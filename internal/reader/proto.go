package reader

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/retrykit/retrykit/internal/reader/ordered"
	"github.com/retrykit/retrykit/internal/reader/otlpproto"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// frames are messages that lie one after the other in data.
type frames struct {
	data    []byte
	ends    []int
	offsets []int64 // of each in the file, for messages about it
	skip    string
}

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
	return readFrames(ctx, in, env, frameBare, func(d *payloadDecoder, data []byte, b *telemetry.Batch, where string) error {
		return d.proto.Resource(data, b, where)
	})
}

func readPrefixed(ctx context.Context, in *input, env *environment) error {
	return readFrames(ctx, in, env, framePrefixed, (*payloadDecoder).payload)
}

type frameFunc func(r *bufio.Reader, buf []byte) (frame []byte, size int64, err error)

var errFrame = errors.New("a frame that is cut short, or whose length lies")

// readFrames reads messages and decodes them on several goroutines.
func readFrames(ctx context.Context, in *input, env *environment, next frameFunc,
	decode func(*payloadDecoder, []byte, *telemetry.Batch, string) error,
) error {
	pool := newPool()
	return ordered.Run(ctx, env.workers,
		func(emit func(frames) error) error { return collectFrames(in, pool, next, emit) },
		func() func(frames) *telemetry.Batch {
			d := newPayloadDecoder(env.registry, in.name)
			return func(f frames) *telemetry.Batch {
				b := env.batches.get(in.segment)
				b.Bytes = int64(len(f.data))
				start := 0
				for i, end := range f.ends {
					d.one(f.data[start:end], f.offsets[i], b, decode)
					start = end
				}
				if f.skip != "" {
					b.Skip(f.skip, fmt.Sprintf("%s:byte %d", in.name, f.offsets[len(f.offsets)-1]))
				}
				pool.put(f.data)
				return b
			}
		},
		env.deliver)
}

func collectFrames(in *input, pool *pool, next frameFunc, emit func(frames) error) error {
	offset := int64(0)
	f := frames{data: pool.get()[:0]}
	for {
		data, size, err := next(in.reader, f.data)
		if err == nil {
			f.data = data
			f.ends = append(f.ends, len(data))
			f.offsets = append(f.offsets, offset)
			offset += size
		}
		if err != nil {
			if errors.Is(err, errFrame) {
				f.skip = err.Error()
				f.offsets = append(f.offsets, offset)
			} else if err != io.EOF {
				return err
			}
			if len(f.ends) > 0 || f.skip != "" {
				return emit(f)
			}
			return nil
		}
		if len(f.data) >= chunkSize*3/4 {
			if err := emit(f); err != nil {
				return err
			}
			f = frames{data: pool.get()[:0]}
		}
	}
}

// frameBare appends the next message of field 1 and steps over other fields.
func frameBare(r *bufio.Reader, buf []byte) ([]byte, int64, error) {
	var skipped int64
	for {
		tag, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, 0, endOrFrame(err)
		}
		var size uint64
		switch tag & 7 {
		case 2:
			if size, err = binary.ReadUvarint(r); err != nil {
				return nil, 0, errFrame
			}
		case 0:
			if _, err = binary.ReadUvarint(r); err != nil {
				return nil, 0, errFrame
			}
		case 1:
			size = 8
		case 5:
			size = 4
		default:
			return nil, 0, errFrame
		}
		if size > maxDocument {
			return nil, 0, errFrame
		}
		head := int64(uvarintLen(tag) + uvarintLen(size))
		if tag != 1<<3|2 {
			if _, err := r.Discard(int(size)); err != nil {
				return nil, 0, errFrame
			}
			skipped += head + int64(size)
			continue
		}
		buf, err = appendN(r, buf, int(size))
		return buf, skipped + head + int64(size), err
	}
}

func uvarintLen(n uint64) int { return len(binary.AppendUvarint(nil, n)) }

func endOrFrame(err error) error {
	if err == io.EOF {
		return err
	}
	return errFrame
}

func framePrefixed(r *bufio.Reader, buf []byte) ([]byte, int64, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, 0, endOrFrame(err)
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > maxDocument {
		return nil, 0, errFrame
	}
	buf, err := appendN(r, buf, int(size))
	return buf, int64(size) + 4, err
}

// appendStep is how much memory a length alone may claim.
const appendStep = 1 << 20

// appendN appends n bytes, in steps, so that a length that lies costs no more
// memory than there is data.
func appendN(r io.Reader, buf []byte, n int) ([]byte, error) {
	for n > 0 {
		step := min(n, appendStep)
		at := len(buf)
		if cap(buf)-at < step {
			grown := make([]byte, at, max(2*cap(buf), at+step))
			copy(grown, buf)
			buf = grown
		}
		buf = buf[:at+step]
		if _, err := io.ReadFull(r, buf[at:]); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return nil, errFrame
			}
			return nil, err
		}
		n -= step
	}
	return buf, nil
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
