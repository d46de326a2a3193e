// Package source reads lines of files for whoever shows them.
package source

import (
	"os"
	"strings"
	"unicode/utf8"
)

// Lines gives lines of files and reads each file once. It is not safe for
// concurrent use.
type Lines struct {
	read  func(name string) ([]byte, error)
	files map[string][]string
}

// New returns Lines that have read nothing yet.
func New() *Lines { return Reading(os.ReadFile) }

// Reading returns Lines of files that are read by a function.
func Reading(read func(name string) ([]byte, error)) *Lines {
	return &Lines{read: read, files: make(map[string][]string)}
}

// Line returns line n, counted from 1, of a file, without its end; "" when
// there is no such line or the file can't be read.
func (l *Lines) Line(file string, n int) string {
	lines, ok := l.files[file]
	if !ok {
		if data, err := l.read(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		l.files[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[n-1], "\r")
}

// Runes turns a column in bytes into one in characters; both count from 1.
func (l *Lines) Runes(file string, line, column int) int {
	text := l.Line(file, line)
	if column < 1 || column > len(text)+1 {
		return column
	}
	return utf8.RuneCountInString(text[:column-1]) + 1
}
