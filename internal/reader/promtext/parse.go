// Package promtext decodes what a Prometheus scrape returns: the text format
// and OpenMetrics, with classic or UTF-8 names, one exposition or several in a
// row.
package promtext

import (
	"bytes"
	"math"
	"strings"

	"github.com/retrykit/retrykit/internal/reader/jsonscan"
)

// sample is one line.
type sample struct {
	name   []byte
	labels []label
	value  float64
	time   int64 // ns; 0: none
}

type label struct{ key, value []byte }

// Looks reports whether head is the beginning of an exposition.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			if keyword, _ := comment(line); keyword != "" {
				return true
			}
		default:
			var s sample
			return whole && s.parse(line) || !whole && bytes.Count(head, []byte(" ")) > 0 && s.parse(line)
		}
		head = rest
	}
	return false
}

// comment returns the keyword of a comment that means something, and the rest.
func comment(line []byte) (keyword string, rest []byte) {
	fields := bytes.TrimLeft(line[1:], " \t")
	for _, k := range []string{"HELP", "TYPE", "UNIT", "EOF"} {
		if r, ok := bytes.CutPrefix(fields, []byte(k)); ok && (len(r) == 0 || r[0] == ' ' || r[0] == '\t') {
			return k, bytes.TrimSpace(r)
		}
	}
	return "", nil
}

// parse parses a line that is neither empty nor a comment.
func (s *sample) parse(line []byte) bool {
	s.name, s.labels, s.time = nil, s.labels[:0], 0
	i := 0
	if line[0] != '{' {
		for i < len(line) && line[i] != '{' && line[i] != ' ' && line[i] != '\t' {
			i++
		}
		s.name = line[:i]
		if !validName(s.name) {
			return false
		}
	}
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i < len(line) && line[i] == '{' {
		n := s.parseLabels(line[i+1:])
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	if len(s.name) == 0 {
		return false
	}
	rest := line[i:]
	if j := bytes.Index(rest, []byte(" # ")); j >= 0 { // an exemplar
		rest = rest[:j]
	}
	fields := bytes.Fields(rest)
	if len(fields) < 1 || len(fields) > 2 {
		return false
	}
	var ok bool
	if s.value, ok = number(fields[0]); !ok {
		return false
	}
	if len(fields) == 2 {
		t, ok := number(fields[1])
		if !ok || math.Abs(t) > 1e16 {
			return false
		}
		// Text has milliseconds, OpenMetrics seconds; no time of use is read as
		// the other one's.
		if t >= 1e11 && t == math.Trunc(t) {
			s.time = int64(t) * 1e6
		} else {
			s.time = int64(math.Round(t*1e3)) * 1e6
		}
	}
	return true
}

func number(text []byte) (float64, bool) {
	switch strings.ToLower(string(text)) {
	case "+inf", "inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	}
	return jsonscan.ParseFloat(text)
}

func validName(name []byte) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0
}

// parseLabels parses what is within braces and returns how long it is with the
// closing one; -1 when it is malformed. A quoted string without a value is the
// metric's name.
func (s *sample) parseLabels(text []byte) int {
	i := 0
	space := func() {
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
	}
	for {
		space()
		if i >= len(text) {
			return -1
		}
		if text[i] == '}' {
			return i + 1
		}
		var key []byte
		if text[i] == '"' {
			var n int
			if key, n = quoted(text[i:]); n < 0 {
				return -1
			}
			i += n
		} else {
			start := i
			for i < len(text) && text[i] != '=' && text[i] != ' ' && text[i] != ',' && text[i] != '}' {
				i++
			}
			if key = text[start:i]; !validName(key) {
				return -1
			}
		}
		space()
		if i < len(text) && text[i] == '=' {
			i++
			space()
			if i >= len(text) || text[i] != '"' {
				return -1
			}
			value, n := quoted(text[i:])
			if n < 0 {
				return -1
			}
			i += n
			s.labels = append(s.labels, label{key, value})
		} else if len(s.name) == 0 {
			s.name = key
		} else {
			return -1
		}
		space()
		if i < len(text) && text[i] == ',' {
			i++
		}
	}
}

// quoted returns the string at the start of text, unescaped, and its length
// with the quotes; -1 when it has no end.
func quoted(text []byte) ([]byte, int) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return text[1:i], i + 1
		case '\\':
			out := bytes.Clone(text[1:i])
			for ; i < len(text); i++ {
				switch c := text[i]; {
				case c == '"':
					return out, i + 1
				case c == '\\' && i+1 < len(text):
					i++
					if text[i] == 'n' {
						out = append(out, '\n')
					} else {
						out = append(out, text[i])
					}
				default:
					out = append(out, c)
				}
			}
			return nil, -1
		}
	}
	return nil, -1
}
