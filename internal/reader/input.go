package reader

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// file is one thing to read.
type file struct {
	path     string // "-" is standard input
	size     int64
	modified time.Time
	found    bool // in a directory, rather than named
	info     os.FileInfo
}

// once takes out files that are there a second time, by whatever name, and
// returns those names: spans would count twice.
func once(files []file) (kept []file, again []string) {
	bySize := map[int64][]file{} // the same file has the same size
	for _, f := range files {
		same := func(other file) bool { return os.SameFile(f.info, other.info) }
		if f.info != nil && slices.ContainsFunc(bySize[f.size], same) {
			again = append(again, f.path)
			continue
		}
		if f.info != nil {
			bySize[f.size] = append(bySize[f.size], f)
		}
		kept = append(kept, f)
	}
	return kept, again
}

// input is an open file with compression taken off.
type input struct {
	name     string
	segment  int
	modified time.Time
	reader   *bufio.Reader
	closers  []func()
	cutShort string // the compression that ended early
	line     int    // JSON: lines before this input, and then those that were read too
}

func (in *input) close() {
	for _, c := range slices.Backward(in.closers) {
		c()
	}
}

// What is in directories and not read.
const (
	reasonLink    = "link to a directory, which is not followed"
	reasonSpecial = "named pipe, socket or device in a directory"
)

// expand replaces directories by the files in them, however deep, hidden ones
// left out, the parts of a rotated set from old to new. Links to directories are
// not followed: they may lead back.
func expand(paths []string) (files []file, left []telemetry.Skip, err error) {
	var errs []error
	leave := func(reason, path string) {
		left = append(left, telemetry.Skip{Reason: reason, Count: 1, Where: path})
	}
	for _, path := range paths {
		if path == "-" {
			files = append(files, file{path: path})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !info.IsDir() {
			files = append(files, file{path: path, size: info.Size(), modified: info.ModTime(), info: info})
			continue
		}
		var within []file
		before := len(errs)
		root := path + string(filepath.Separator) // so that a link to a directory is gone into
		err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				errs = append(errs, err)
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case strings.HasPrefix(d.Name(), ".") && p != root:
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case d.IsDir():
				return nil
			}
			info, err := os.Stat(p)
			if err != nil {
				errs = append(errs, err)
				return nil
			}
			switch {
			case info.Mode().IsRegular():
				within = append(within, file{p, info.Size(), info.ModTime(), true, info})
			case info.IsDir():
				leave(reasonLink, p)
			default:
				leave(reasonSpecial, p)
			}
			return nil
		})
		if err != nil {
			errs = append(errs, err)
		}
		if len(within) == 0 && len(errs) == before {
			errs = append(errs, fmt.Errorf("%s: no files in this directory", path))
		}
		slices.SortFunc(within, func(a, b file) int {
			return cmp.Or(a.modified.Compare(b.modified), strings.Compare(a.path, b.path))
		})
		files = append(files, within...)
	}
	return files, left, errors.Join(errs...)
}

// open opens a file and takes compression off.
func open(ctx context.Context, f file, segment int, env *environment, stdin io.Reader) (*input, error) {
	in := &input{name: f.path, segment: segment, modified: f.modified}
	var raw io.Reader
	if f.path == "-" {
		in.name = "standard input"
		if stdin == nil {
			return nil, errors.New("no standard input")
		}
		raw = &contextReader{ctx: ctx, r: stdin}
	} else {
		opened, err := openFile(ctx, f)
		if err != nil {
			return nil, err
		}
		in.closers = append(in.closers, func() { _ = opened.Close() })
		raw = opened
		if f.waits() {
			raw = &contextReader{ctx: ctx, r: opened}
		}
	}
	raw = env.progress.count(raw)
	if err := in.decompress(raw); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

// waits reports whether opening a file, and reading it, may wait for somebody:
// of a named pipe, for one who writes.
func (f *file) waits() bool {
	return f.info != nil && f.info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice|fs.ModeSocket) != 0
}

// openFile opens a file, and gives up waiting when the context ends.
func openFile(ctx context.Context, f file) (*os.File, error) {
	if !f.waits() {
		return os.Open(f.path)
	}
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result)
	go func() {
		file, err := os.Open(f.path)
		select {
		case opened <- result{file, err}:
		case <-ctx.Done():
			_ = file.Close() // nobody wants it any more; of none, that is an error
		}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done(): // what still waits ends with somebody who writes, or the program
		return nil, context.Cause(ctx)
	}
}

// contextReader reads from something that can't be interrupted and gives up
// waiting when the context ends.
type contextReader struct {
	ctx     context.Context
	r       io.Reader
	results chan readResult
	rest    []byte
}

type readResult struct {
	data []byte
	err  error
}

func (c *contextReader) Read(p []byte) (int, error) {
	if len(c.rest) > 0 {
		n := copy(p, c.rest)
		c.rest = c.rest[n:]
		return n, nil
	}
	if c.results == nil {
		c.results = make(chan readResult, 1)
		go func() {
			for {
				buf := make([]byte, 256<<10)
				n, err := c.r.Read(buf)
				select {
				case c.results <- readResult{buf[:n], err}:
				case <-c.ctx.Done():
					return
				}
				if err != nil {
					return
				}
			}
		}()
	}
	select {
	case got := <-c.results:
		n := copy(p, got.data)
		c.rest = got.data[n:]
		if got.err != nil {
			c.results <- readResult{err: got.err} // for the next call, should there be a rest
			if n > 0 {
				return n, nil
			}
		}
		return n, got.err
	case <-c.ctx.Done():
		return 0, context.Cause(c.ctx)
	}
}
