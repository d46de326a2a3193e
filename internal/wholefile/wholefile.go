// Package wholefile writes the files that the commands are told to write.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data in a file at once: readers see what was there before or all
// of data, and an error leaves no part of it behind. What exists keeps its
// permissions and its links; a new file has 0644. A device, a named pipe or an
// open file, such as /dev/stdout, is written to and never replaced.
func Write(path string, data []byte) error {
	if err := write(path, data); err != nil {
		return fmt.Errorf("can't write %s: %w", path, err)
	}
	return nil
}

func write(path string, data []byte) error {
	if stream, ok := openFile(path); ok {
		return stream(data)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return replace(path, data, 0o644)
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory; name a file in it")
	case !info.Mode().IsRegular():
		return send(path, data)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return replace(target, data, info.Mode().Perm())
}

// replace writes a file beside the path and renames it.
func replace(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		return &fs.PathError{Op: pathErr.Op, Path: filepath.Dir(path), Err: pathErr.Err} // the name is one that nobody gave
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// openFile tells whether the path names a file that this process has open, as
// /dev/stdout does, and returns how to go on writing to it: what it was
// redirected to, a file included, is somebody else's.
func openFile(path string) (write func([]byte) error, ok bool) {
	to := func(f *os.File) func([]byte) error {
		return func(data []byte) error {
			_, err := f.Write(data)
			return err
		}
	}
	switch clean := filepath.Clean(path); clean {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return to(os.Stdout), true
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return to(os.Stderr), true
	default:
		switch filepath.Dir(clean) {
		case "/dev/fd", "/proc/self/fd":
			return func(data []byte) error { return send(clean, data) }, true
		}
	}
	return nil, false
}

// send writes to what has no contents to replace.
func send(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
