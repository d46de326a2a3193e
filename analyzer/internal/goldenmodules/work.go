package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A workshop fetches and analyses modules.
type workshop struct {
	cache     string // folder of the scratch modules
	retrylint string // program
	progress  io.Writer
}

// open fills in what was not given: it finds the cache folder, and builds
// retrylint.
func (w *workshop) open(ctx context.Context, root string) error {
	if w.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("no cache folder is known, name one with -cache: %w", err)
		}
		w.cache = filepath.Join(dir, "retrykit", "golden")
	}
	if err := os.MkdirAll(w.cache, 0o755); err != nil {
		return err
	}
	if w.retrylint == "" {
		of, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		// Another checkout may be at work with the same cache, and with a program of
		// its own.
		w.retrylint = filepath.Join(w.cache, fmt.Sprintf("retrylint-%08x", crc32.ChecksumIEEE([]byte(of))))
		fmt.Fprintln(w.progress, "building retrylint")
		build := exec.CommandContext(ctx, "go", "build", "-o", w.retrylint, "./cmd/retrylint")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("retrylint can't be built: %w\n%s", err, out)
		}
	}
	var err error
	w.retrylint, err = filepath.Abs(w.retrylint)
	return err
}

// environment makes every machine analyse the same files. With -mod=mod the go
// command adds what the scratch module lacks; what is resolved so is what the
// pinned module asks for.
func environment() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
}

// fetch makes the scratch module of m and returns its folder, and the folder
// that holds the source of m.
func (w *workshop) fetch(ctx context.Context, m module) (scratch, source string, err error) {
	scratch = filepath.Join(w.cache, m.name+"@"+m.version)
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return "", "", err
	}
	mod := filepath.Join(scratch, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, os.ErrNotExist) {
		text := fmt.Sprintf("module scratch.example\n\ngo 1.26\n\nrequire %s %s\n", m.path, m.version)
		if err := os.WriteFile(mod, []byte(text), 0o644); err != nil {
			return "", "", err
		}
	}
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.path+"@"+m.version)
	download.Dir, download.Env = scratch, environment()
	out, err := download.Output()
	var got struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &got); jsonErr != nil {
		return "", "", fmt.Errorf("go mod download: %w", errors.Join(err, jsonErr))
	}
	if got.Error != "" {
		return "", "", fmt.Errorf("go mod download: %s", got.Error)
	}
	if got.Sum != m.sum {
		return "", "", fmt.Errorf("its content has the sum %s, modules.tsv pins %s", got.Sum, m.sum)
	}
	return scratch, got.Dir, nil
}

// analyse returns the golden text of a module.
func (w *workshop) analyse(ctx context.Context, m module) (string, error) {
	scratch, source, err := w.fetch(ctx, m)
	if err != nil {
		return "", err
	}
	args := []string{"-format=json", "-settings=none"}
	for _, p := range m.patterns {
		args = append(args, strings.TrimSuffix(m.path+"/"+p, "/."))
	}
	lint := exec.CommandContext(ctx, w.retrylint, args...)
	lint.Dir, lint.Env = scratch, environment()
	var stderr bytes.Buffer
	lint.Stderr = &stderr
	out, err := lint.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var report report
	// 1 says that there are findings, 2 that not everything could be analysed:
	// the report has both. Without a report, it is a failure.
	if jsonErr := json.Unmarshal(out, &report); jsonErr != nil {
		return "", fmt.Errorf("retrylint: %w\n%s", errors.Join(err, jsonErr), stderr.Bytes())
	}
	if strings.Contains(stderr.String(), "panic") {
		return "", fmt.Errorf("retrylint crashed:\n%s", stderr.Bytes())
	}
	return report.text(source)
}
