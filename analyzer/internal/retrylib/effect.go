package retrylib

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An effect is one field=value of the table; see the package's documentation.
type effect struct {
	field string
	value value
	when  []exception
}

// An exception is the value that takes the place of a constant argument of a
// given sign.
type exception struct {
	sign  int // -1, 0, 1
	value value
}

// A value is the right side of an effect.
type value struct {
	word  string // "unbounded", "none", "?", "yes", "growing", ...
	isInt bool
	n     int64 // for isInt, or what is added to an argument
	d     time.Duration
	isDur bool

	arg   int // argument index, argNone or argRecv
	isLen bool
	field string // field of the argument, for func=$0.F
}

const (
	argNone = -1
	argRecv = -2
)

// words are the constants that each field may take, beside "?".
var words = map[string][]string{
	"attempts": {"unbounded"},
	"deadline": {"none"},
	"delay":    {"none", "constant", "growing"},
	"base":     {"none"},
	"cap":      {"none"},
	"jitter":   {"yes", "no"},
	"classify": {"yes", "no"},
	"ctx":      {"none"},
	"wait":     {"blind", "context", "stop"},
	"policy":   {}, "waits": {}, "opts": {}, "mix": {}, "pick": {}, "func": {},
}

func parseEffects(text string) ([]effect, error) {
	if text == "-" {
		return nil, nil
	}
	var out []effect
	for _, item := range strings.Fields(text) {
		name, rest, ok := strings.Cut(item, "=")
		allowed, known := words[name]
		if !ok || !known {
			return nil, fmt.Errorf("%q is not field=value of a known field", item)
		}
		parts := strings.Split(rest, ",")
		v, err := parseValue(parts[0], allowed)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", item, err)
		}
		e := effect{field: name, value: v}
		for _, part := range parts[1:] {
			sign, then, ok := strings.Cut(part, ":")
			i := slices.Index([]string{"-", "0", "+"}, sign)
			if !ok || i < 0 {
				return nil, fmt.Errorf("%q: exception %q is not -:, 0: or +: and a value", item, part)
			}
			w, err := parseValue(then, allowed)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", item, err)
			}
			e.when = append(e.when, exception{sign: i - 1, value: w})
		}
		out = append(out, e)
	}
	return out, nil
}

func parseValue(text string, allowed []string) (value, error) {
	v := value{arg: argNone}
	if text == "?" || slices.Contains(allowed, text) {
		v.word = text
		return v, nil
	}
	if text == "recv" || strings.HasPrefix(text, "recv.") {
		v.arg, v.field = argRecv, strings.TrimPrefix(strings.TrimPrefix(text, "recv"), ".")
		return v, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		v.isInt, v.n = true, n
		return v, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		v.isDur, v.d = true, d
		return v, nil
	}
	if rest, ok := strings.CutPrefix(text, "len("); ok {
		v.isLen = true
		text = strings.Replace(rest, ")", "", 1)
	}
	text, ok := strings.CutPrefix(text, "$")
	if !ok {
		return v, fmt.Errorf("%q is no value", text)
	}
	text, v.field, _ = strings.Cut(text, ".")
	text, plus, _ := strings.Cut(text, "+")
	if plus != "" {
		n, err := strconv.ParseInt(plus, 10, 64)
		if err != nil {
			return v, err
		}
		v.n = n
	}
	arg, err := strconv.Atoi(text)
	if err != nil {
		return v, err
	}
	v.arg = arg
	return v, nil
}
