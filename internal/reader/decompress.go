package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds against archives made to explode: how often one compression may wrap
// another, how many bytes a byte of the file may become once a lot came out,
// and how much memory a zstd frame may ask for.
const (
	maxNesting   = 3
	maxRatio     = 2000
	freeOutput   = 64 << 20
	maxZstdFrame = 128 << 20
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// decompress puts readers around raw until what comes out is not compressed.
func (in *input) decompress(raw io.Reader) error {
	whole := &countingReader{r: raw} // what the outermost compression takes
	in.reader = bufio.NewReaderSize(whole, 64<<10)
	for range maxNesting + 1 {
		head, err := in.reader.Peek(4)
		if err != nil && err != io.EOF {
			return err
		}
		switch {
		case bytes.HasPrefix(head, gzipMagic):
			z, err := gzip.NewReader(in.reader)
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				return fmt.Errorf("gzip %w", errCutShort)
			}
			if err != nil {
				return fmt.Errorf("gzip: %w", err)
			}
			in.closers = append(in.closers, func() { _ = z.Close() })
			in.reader = bufio.NewReaderSize(&boundedReader{r: z, in: whole, format: "gzip", input: in}, 64<<10)
		case bytes.Equal(head, zstdMagic):
			z, err := zstd.NewReader(in.reader, zstd.WithDecoderMaxMemory(maxZstdFrame), zstd.WithDecoderConcurrency(1))
			if err != nil {
				return fmt.Errorf("zstd: %w", err)
			}
			in.closers = append(in.closers, z.Close)
			in.reader = bufio.NewReaderSize(&boundedReader{r: z, in: whole, format: "zstd", input: in}, 64<<10)
		default:
			return nil
		}
	}
	return fmt.Errorf("compressed more than %d times over", maxNesting)
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// boundedReader refuses to go on when far more comes out than went in, and
// names the compression in errors. Compressed input that ends early, as a file
// that is still being written does, is good up to there; the input notes it.
type boundedReader struct {
	r      io.Reader
	in     *countingReader
	out    int64
	format string
	input  *input
}

// errCutShort follows the name of the compression.
var errCutShort = errors.New("data that ends before anything of it can be read")

var errBomb = errors.New("expands too far to be telemetry; unpack it first if it is")

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.out += int64(n)
	if b.out > freeOutput && b.out > maxRatio*b.in.n {
		return 0, fmt.Errorf("%s: %w", b.format, errBomb)
	}
	if err != nil && err != io.EOF {
		switch cut := errors.Is(err, io.ErrUnexpectedEOF); {
		case cut && b.out > 0:
			b.input.cutShort = b.format
			return n, io.EOF
		case cut:
			return n, fmt.Errorf("%s %w", b.format, errCutShort)
		}
		err = fmt.Errorf("%s: %w", b.format, err)
	}
	return n, err
}
