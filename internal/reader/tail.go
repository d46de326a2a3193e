package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// A Tail reads files again and again, each time only what was appended since,
// where that can be: of JSON that is a document a line and not compressed. Not
// safe for concurrent use.
type Tail struct {
	files map[string]*tailed // nil before the first Read
}

// tailed is how far a file was read.
type tailed struct {
	info    os.FileInfo
	lines   bool  // more lines may follow
	offset  int64 // of the end of the last line that was read
	line    int   // how many there were
	segment int
	last    []byte // some bytes before the offset: they tell growing from being written over
}

// lastBytes are enough to hold a time.
const lastBytes = 4 << 10

// ErrRestart says that what was read before can't be added to: a file was cut,
// replaced, taken away, or is of a kind that is read as a whole. Read all with
// a new Tail into a new sink.
var ErrRestart = errors.New("files have changed otherwise than by growing")

// Read reads what is new, as the function Read does everything. A last line
// without an end is left for later, when it is complete; Unfinished names such
// files. Standard input is not for this.
func (t *Tail) Read(ctx context.Context, paths []string, sink Sink, options Options) error {
	files, left, err := expand(paths)
	files, again := once(files)
	if t.files == nil {
		t.files = map[string]*tailed{}
		leave(sink, left, again)
	} else if t.restart(files) {
		return ErrRestart
	}
	env := newEnvironment(sink, options)
	errs := []error{err}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		err := t.file(ctx, f, env)
		if reason := passedOver(err); f.found && reason != "" {
			sink.Skip(telemetry.Skip{Reason: reason, Count: 1, Where: f.path})
			continue
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Unfinished returns the files whose last line is not complete yet.
func (t *Tail) Unfinished() (paths []string) {
	for path, k := range t.files {
		if k.lines && k.offset < k.info.Size() {
			paths = append(paths, path)
		}
	}
	return paths
}

func (t *Tail) restart(files []file) bool {
	there := map[string]bool{}
	for _, f := range files {
		there[f.path] = true
		k := t.files[f.path]
		if k == nil {
			continue
		}
		info, err := os.Stat(f.path)
		if err != nil || !os.SameFile(k.info, info) || info.Size() < k.info.Size() {
			return true
		}
		changed := info.Size() != k.info.Size() || !info.ModTime().Equal(k.info.ModTime())
		if changed && (!k.lines || info.Size() == k.info.Size() || !k.goesOn(f.path)) {
			return true
		}
	}
	for path := range t.files {
		if !there[path] {
			return true
		}
	}
	return false
}

// goesOn reports whether the file still has what was read last where it was.
func (k *tailed) goesOn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	now := make([]byte, len(k.last))
	_, err = f.ReadAt(now, k.offset-int64(len(now)))
	return err == nil && bytes.Equal(now, k.last)
}

func (t *Tail) file(ctx context.Context, f file, env *environment) error {
	k := t.files[f.path]
	opened, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	if k == nil {
		k = &tailed{segment: len(t.files)}
		t.files[f.path] = k
		env.sink.AddFile()
		if k.lines, err = holdsLines(opened); err == nil {
			_, err = opened.Seek(0, io.SeekStart)
		}
		if err != nil {
			return err
		}
		if !k.lines {
			k.info = info
			return t.whole(ctx, f, k, opened, env)
		}
	} else if !k.lines || info.Size() == k.info.Size() {
		return nil
	}
	fresh := k.info == nil
	k.info = info
	end, err := lastNewline(opened, k.offset, info.Size())
	if err != nil || end == k.offset {
		return err
	}
	in := &input{name: f.path, segment: k.segment, line: k.line}
	in.reader = bufio.NewReaderSize(io.NewSectionReader(opened, k.offset, end-k.offset), 64<<10)
	if fresh {
		err = readInput(ctx, in, env)
	} else {
		err = readJSON(ctx, in, env)
	}
	k.offset, k.line = end, in.line
	k.last = make([]byte, min(end, lastBytes))
	_, lastErr := opened.ReadAt(k.last, end-int64(len(k.last)))
	return errors.Join(err, lastErr)
}

func (t *Tail) whole(ctx context.Context, f file, k *tailed, opened *os.File, env *environment) error {
	in := &input{name: f.path, segment: k.segment}
	if err := in.decompress(opened); err != nil {
		in.close()
		return fmt.Errorf("%s: %w", in.name, err)
	}
	defer in.close()
	return readInput(ctx, in, env)
}

// holdsLines reports whether a file is JSON, a document a line, of which there
// is one at least.
func holdsLines(f *os.File) (bool, error) {
	r := bufio.NewReaderSize(io.LimitReader(f, maxDocument), 64<<10)
	begin, err := r.Peek(r.Size())
	if err != nil && err != io.EOF {
		return false, err
	}
	if begin = trim(begin); len(begin) > 0 && begin[0] != '{' { // before a long line is kept
		return false, nil
	}
	line, err := r.ReadBytes('\n')
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	line = trim(line)
	var s jsonscan.Scanner
	s.Init(line)
	s.Skip()
	return s.Err() == nil && s.AtEnd(), nil
}

// lastNewline returns the offset after the last end of a line between two
// offsets, or the first of them.
func lastNewline(f *os.File, from, to int64) (int64, error) {
	const block = 64 << 10
	buf := make([]byte, block)
	for to > from {
		start := max(from, to-block)
		n, err := f.ReadAt(buf[:to-start], start)
		if err != nil && !errors.Is(err, io.EOF) {
			return from, err
		}
		if int64(n) < to-start {
			return from, &fs.PathError{Op: "read", Path: f.Name(), Err: io.ErrUnexpectedEOF}
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		to = start
	}
	return from, nil
}
