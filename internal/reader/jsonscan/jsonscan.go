// Package jsonscan walks JSON without building anything: the caller asks for
// the next key, element or scalar, and skips what it does not want. It checks
// the structure that it walks over and leaves skipped values unchecked apart
// from their brackets and strings. It never recurses, so that nesting costs no
// stack.
package jsonscan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// ErrTruncated says that the data ended inside a value.
var ErrTruncated = errors.New("truncated JSON")

// Scanner walks one JSON text. After an error every method does nothing; see
// Err. Not safe for concurrent use.
type Scanner struct {
	data []byte
	pos  int
	err  error
}

// Init starts on new data. What the scanner returns points into it.
func (s *Scanner) Init(data []byte) { s.data, s.pos, s.err = data, 0, nil }

// Err returns the first error.
func (s *Scanner) Err() error { return s.err }

// Pos returns the offset of the next byte.
func (s *Scanner) Pos() int { return s.pos }

// Seek goes to an offset that Pos returned.
func (s *Scanner) Seek(pos int) { s.pos = pos }

func (s *Scanner) fail(what string) {
	if s.err != nil {
		return
	}
	if s.pos >= len(s.data) {
		s.err = ErrTruncated
		return
	}
	s.err = fmt.Errorf("malformed JSON at byte %d: %s", s.pos, what)
}

// Fail makes the scanner end with an error of the caller's.
func (s *Scanner) Fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// space skips white space and returns the next byte, or 0 at the end.
func (s *Scanner) space() byte {
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		if c > ' ' {
			return c
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
		s.pos++
	}
	return 0
}

// Peek returns the first byte of the next value, or 0 at the end.
func (s *Scanner) Peek() byte {
	if s.err != nil {
		return 0
	}
	return s.space()
}

// AtEnd reports whether nothing but white space is left.
func (s *Scanner) AtEnd() bool {
	return s.err != nil || s.space() == 0 && s.pos >= len(s.data)
}

// Object enters an object; false when the value is something else, which is
// skipped (null) or an error.
func (s *Scanner) Object() bool { return s.enter('{', "an object was expected") }

// Array enters an array; as Object.
func (s *Scanner) Array() bool { return s.enter('[', "an array was expected") }

func (s *Scanner) enter(open byte, what string) bool {
	if s.err != nil {
		return false
	}
	switch s.space() {
	case open:
		s.pos++
		return true
	case 'n':
		s.Skip()
		return false
	}
	s.fail(what)
	return false
}

// Key returns the next key of the object that was entered, and leaves the
// scanner before its value; false at the object's end.
func (s *Scanner) Key() ([]byte, bool) {
	if s.err != nil {
		return nil, false
	}
	c := s.separated('{', '}')
	if c == '}' {
		s.pos++
		return nil, false
	}
	if c != '"' {
		s.fail("a key was expected")
		return nil, false
	}
	key := s.str()
	if s.err != nil {
		return nil, false
	}
	if s.pos < len(s.data) && s.data[s.pos] == ':' {
		s.pos++
		return key, true
	}
	if s.space() != ':' {
		s.fail("a colon was expected")
		return nil, false
	}
	s.pos++
	return key, true
}

// separated goes past the comma before the next key or element, which only the
// first one has none of, and returns the byte after it. Where it is missing
// something may have been put into the text: a line of another writer.
func (s *Scanner) separated(open, end byte) byte {
	c := s.space()
	switch {
	case c == ',':
		s.pos++
		return s.space()
	case c != end && before(s.data, s.pos) != open:
		s.fail("a comma was expected")
	}
	return c
}

// before returns the last byte before i that is no white space; 0 at the start.
func before(data []byte, i int) byte {
	for i--; i >= 0; i-- {
		if c := data[i]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

// Next reports whether the array that was entered has another element, and
// leaves the scanner before it.
func (s *Scanner) Next() bool {
	if s.err != nil {
		return false
	}
	c := s.separated('[', ']')
	if c == ']' {
		s.pos++
		return false
	}
	if s.err != nil || c == 0 || c == '}' || c == ':' {
		s.fail("an element was expected")
		return false
	}
	return true
}

// Words of one byte eight times over, for looking at eight bytes at once.
const (
	ones   = 0x0101010101010101
	highs  = 0x8080808080808080
	quotes = ones * '"'
	slants = ones * '\\'
)

// quoteOrSlant returns the offset, from i on, of the next quote or backslash,
// or len(data) when there is none.
func quoteOrSlant(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if found := hasQuoteOrSlant(data[i:]); found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

// str reads the string at the scanner, unescaped: a part of the data, or with
// escapes, which are rare, a copy.
func (s *Scanner) str() []byte {
	start := s.pos + 1
	i := quoteOrSlant(s.data, start)
	switch {
	case i >= len(s.data):
		s.pos = len(s.data)
		s.err = ErrTruncated
		return nil
	case s.data[i] == '\\':
		return s.escaped(start, i)
	}
	s.pos = i + 1
	return s.data[start:i]
}

func (s *Scanner) escaped(start, i int) []byte {
	out := append(make([]byte, 0, 2*(i-start)+32), s.data[start:i]...)
	for i < len(s.data) {
		c := s.data[i]
		switch c {
		case '"':
			s.pos = i + 1
			return out
		case '\\':
			if i+1 >= len(s.data) {
				i = len(s.data)
				continue
			}
			i++
			switch e := s.data[i]; e {
			case 'b':
				out = append(out, '\b')
			case 'f':
				out = append(out, '\f')
			case 'n':
				out = append(out, '\n')
			case 'r':
				out = append(out, '\r')
			case 't':
				out = append(out, '\t')
			case 'u':
				r, ok := s.hex4(i + 1)
				if !ok {
					s.pos = min(i, len(s.data)-1)
					s.fail("a broken \\u escape")
					return nil
				}
				i += 4
				if utf16.IsSurrogate(r) && i+2 < len(s.data) && s.data[i+1] == '\\' && s.data[i+2] == 'u' {
					if low, ok := s.hex4(i + 3); ok {
						if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
							r = pair
							i += 6
						}
					}
				}
				out = utf8.AppendRune(out, r)
			default:
				out = append(out, e)
			}
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	s.pos = len(s.data)
	s.err = ErrTruncated
	return nil
}

func (s *Scanner) hex4(i int) (rune, bool) {
	if i+4 > len(s.data) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.data[i:i+4]), 16, 16)
	return rune(n), err == nil
}

// Text returns the text of a scalar: a string unescaped, anything else as it
// stands; nil for null. Objects and arrays come as raw JSON.
func (s *Scanner) Text() []byte {
	if s.err != nil {
		return nil
	}
	switch s.space() {
	case '"':
		return s.str()
	case '{', '[':
		return s.Raw()
	}
	raw := s.bare()
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// bare returns a number, true, false or null.
func (s *Scanner) bare() []byte {
	start := s.pos
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.':
			s.pos++
		default:
			if s.pos == start {
				s.fail("a value was expected")
				return nil
			}
			return s.data[start:s.pos]
		}
	}
	if s.pos == start {
		s.fail("a value was expected")
	}
	return s.data[start:s.pos]
}

// Raw returns the next value as raw JSON and goes past it.
func (s *Scanner) Raw() []byte {
	if s.err != nil {
		return nil
	}
	s.space()
	start := s.pos
	s.Skip()
	if s.err != nil {
		return nil
	}
	return s.data[start:s.pos]
}

// Flat returns the array at the scanner up to its first closing bracket, in
// raw JSON, and stays before it; nil when there is none. It looks neither at
// what is in the array nor at strings: those are its bytes when no element has
// a bracket in it, and an array that is known by these very bytes is another
// one of them, whatever they hold.
func (s *Scanner) Flat() []byte {
	if s.Peek() != '[' {
		return nil
	}
	rest := s.data[s.pos:]
	return rest[:bytes.IndexByte(rest, ']')+1]
}

// Literal goes past text when the data goes on with it to the byte, spaces
// included, and reports whether it did.
func (s *Scanner) Literal(text string) bool {
	if s.err != nil || len(s.data)-s.pos < len(text) || string(s.data[s.pos:s.pos+len(text)]) != text {
		return false
	}
	s.pos += len(text)
	return true
}

// Field reads a string of n bytes, eight or more, that follows text, which ends
// with its opening quote; nil, and nothing is read, when the data goes on
// otherwise or the string has an escape.
func (s *Scanner) Field(text string, n int) []byte {
	from := s.pos + len(text)
	end := from + n
	if s.err != nil || end >= len(s.data) || s.data[end] != '"' || string(s.data[s.pos:from]) != text {
		return nil
	}
	value := s.data[from:end]
	for i := 0; i < n; i += 8 {
		if hasQuoteOrSlant(value[min(i, n-8):]) != 0 {
			return nil
		}
	}
	s.pos = end + 1
	return value
}

// hasQuoteOrSlant is not 0 when a quote or backslash is among the first eight
// bytes; its lowest set bit is the high bit of the first of them.
func hasQuoteOrSlant(data []byte) uint64 {
	// A byte of x-ones has its high bit set, and that of x not, where the byte
	// of x is 0; higher bytes may show it wrongly, the lowest that does is right.
	word := binary.LittleEndian.Uint64(data)
	q, b := word^quotes, word^slants
	return ((q-ones)&^q | (b-ones)&^b) & highs
}

// special marks the bytes that matter to Skip, opens those that may come before
// an opening bracket, and ends those that may come after a string or a closing
// one.
var special, opens, ends = set(`"{}[]`), set(`:,[`), set(`:,]}`)

func set(bytes string) (t [256]bool) {
	for _, c := range []byte(bytes) {
		t[c] = true
	}
	return t
}

// Skip goes past the next value. Within it, it looks at brackets, strings and
// what is right before and after them, so that nothing is in it that was put
// there by another writer.
func (s *Scanner) Skip() {
	if s.err != nil {
		return
	}
	switch s.space() {
	case '"':
		s.skipString()
		return
	case '{', '[':
	default:
		s.bare()
		return
	}
	depth := 0
	data, i := s.data, s.pos
	for {
		for i < len(data) && !special[data[i]] {
			i++
		}
		if i >= len(data) {
			s.pos, s.err = len(data), ErrTruncated
			return
		}
		switch data[i] {
		case '"':
			s.pos = i
			s.skipString()
			if s.err != nil {
				return
			}
			i = s.pos
		case '{', '[':
			if depth > 0 && !opens[data[i-1]] && !opens[before(data, i)] {
				s.pos = i
				s.fail("a comma or colon was expected")
				return
			}
			depth++
			i++
			continue
		default:
			depth--
			i++
			if depth == 0 {
				s.pos = i
				return
			}
		}
		if i < len(data) && !ends[data[i]] {
			if s.pos = i; s.space() != 0 && !ends[data[s.pos]] {
				s.fail("a comma was expected")
				return
			}
		}
	}
}

func (s *Scanner) skipString() {
	data := s.data
	for i := quoteOrSlant(data, s.pos+1); i < len(data); i = quoteOrSlant(data, i+2) {
		if data[i] == '"' {
			s.pos = i + 1
			return
		}
	}
	s.pos, s.err = len(data), ErrTruncated
}

// KeyValue reads {"key":"k","value":{"stringValue":"v"}}, and its like for
// other types, when it is written just so: the order and spacing of nearly
// every exporter, for which one pass over the bytes is enough. Otherwise it
// reads nothing and ok is false.
func (s *Scanner) KeyValue() (key, value []byte, ok bool) {
	const head, middle = `{"key":"`, `,"value":{"`
	data := s.data
	i := s.pos
	if s.err != nil || len(data)-i < len(head)+len(middle)+8 || string(data[i:i+len(head)]) != head {
		return nil, nil, false
	}
	i += len(head)
	start := i
	if i = quoteOrSlant(data, i); i >= len(data) || data[i] == '\\' {
		return nil, nil, false
	}
	key = data[start:i]
	i++
	if len(data)-i < len(middle) || string(data[i:i+len(middle)]) != middle {
		return nil, nil, false
	}
	i += len(middle)
	const text = `stringValue":`
	if len(data)-i > len(text) && string(data[i:i+len(text)]) == text {
		i += len(text)
	} else {
		i = quoteOrSlant(data, i) // the end of the type's name
		if i+2 >= len(data) || data[i] == '\\' || data[i+1] != ':' {
			return nil, nil, false
		}
		i += 2
	}
	if data[i] == '"' {
		i++
		start = i
		if i = quoteOrSlant(data, i); i >= len(data) || data[i] == '\\' {
			return nil, nil, false
		}
		value = data[start:i]
		i++
	} else {
		start = i
		for i < len(data) && data[i] != '}' {
			if c := data[i]; c <= ' ' || c == '{' || c == '[' || c == ',' || c == '"' {
				return nil, nil, false
			}
			i++
		}
		if value = data[start:i]; string(value) == "null" {
			return nil, nil, false
		}
	}
	if i+1 >= len(data) || data[i] != '}' || data[i+1] != '}' {
		return nil, nil, false
	}
	s.pos = i + 2
	return key, value, true
}

// Int64 reads an integer given as a number or as a string; ok is false when
// the value is something else, which is skipped.
func (s *Scanner) Int64() (n int64, ok bool) {
	text := s.Text()
	if s.err != nil {
		return 0, false
	}
	return ParseInt(text)
}

// Int32 is Int64 for numbers of 32 bits; one that is longer is something else.
func (s *Scanner) Int32() (n int32, ok bool) {
	long, ok := s.Int64()
	if n = int32(long); int64(n) != long {
		return 0, false
	}
	return n, ok
}

// Uint64 is Int64 for counts.
func (s *Scanner) Uint64() (n uint64, ok bool) {
	text := s.Text()
	if s.err != nil {
		return 0, false
	}
	if len(text) == 0 || len(text) > 19 {
		u, err := strconv.ParseUint(string(text), 10, 64)
		return u, err == nil
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			f, ok := ParseFloat(text)
			return uint64(f), ok && f >= 0 && f < 1<<63 && f == math.Trunc(f)
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// Float64 reads a number given as a number or as a string, NaN and Infinity
// included.
func (s *Scanner) Float64() (float64, bool) {
	text := s.Text()
	if s.err != nil {
		return 0, false
	}
	return ParseFloat(text)
}

// ParseInt parses decimal text; a whole number in floating-point notation is
// taken too.
func ParseInt(text []byte) (int64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	digits, negative := text, false
	if digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	if len(digits) == 0 || len(digits) > 19 {
		n, err := strconv.ParseInt(unsafe.String(&text[0], len(text)), 10, 64)
		if err == nil {
			return n, true
		}
		return wholeFloat(text)
	}
	var n uint64 // 19 digits fit
	for _, c := range digits {
		if c < '0' || c > '9' {
			return wholeFloat(text)
		}
		n = n*10 + uint64(c-'0')
	}
	switch {
	case n > math.MaxInt64:
		return math.MinInt64, negative && n == 1<<63
	case negative:
		return -int64(n), true
	}
	return int64(n), true
}

func wholeFloat(text []byte) (int64, bool) {
	f, ok := ParseFloat(text)
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// ParseFloat parses a number exactly.
func ParseFloat(text []byte) (float64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	// Up to 15 digits and as many decimals are exact in float64: both the
	// integer and the power of ten are, and a division rounds once.
	if len(text) <= 16 {
		i, negative := 0, false
		if text[0] == '-' {
			i, negative = 1, true
		}
		var n int64
		digits, point := 0, -1
		for ; i < len(text); i++ {
			c := text[i]
			if c == '.' && point < 0 {
				point = digits
			} else if c >= '0' && c <= '9' {
				n = n*10 + int64(c-'0')
				digits++
			} else {
				digits = 99
				break
			}
		}
		if digits > 0 && digits <= 15 {
			f := float64(n)
			if point >= 0 {
				f /= powers[digits-point]
			}
			if negative {
				f = -f
			}
			return f, true
		}
	}
	f, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}
