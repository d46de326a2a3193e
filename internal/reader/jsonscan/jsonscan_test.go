package jsonscan_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/reader/jsonscan"
)

func TestWalk(t *testing.T) {
	var s jsonscan.Scanner
	s.Init([]byte(` { "a" : [1, "2", {"x":"}]\"" }, null] , "b\u00e9\ud83d\ude00" : "q\"\n" , "c":-1.5e3,"d":null } `))
	require.True(t, s.Object())
	key, ok := s.Key()
	require.True(t, ok)
	assert.Equal(t, "a", string(key))
	require.True(t, s.Array())
	require.True(t, s.Next())
	n, ok := s.Int64()
	assert.True(t, ok)
	assert.EqualValues(t, 1, n)
	require.True(t, s.Next())
	u, ok := s.Uint64()
	assert.True(t, ok)
	assert.EqualValues(t, 2, u)
	require.True(t, s.Next())
	assert.Equal(t, `{"x":"}]\"" }`, string(s.Raw()))
	require.True(t, s.Next())
	assert.Nil(t, s.Text())
	require.False(t, s.Next())
	key, _ = s.Key()
	assert.Equal(t, "bé😀", string(key))
	assert.Equal(t, "q\"\n", string(s.Text()))
	_, _ = s.Key()
	f, ok := s.Float64()
	assert.True(t, ok)
	assert.Equal(t, -1500.0, f)
	_, _ = s.Key()
	assert.False(t, s.Object(), "null is no object")
	_, ok = s.Key()
	assert.False(t, ok)
	assert.True(t, s.AtEnd())
	assert.NoError(t, s.Err())
}

func TestTruncated(t *testing.T) {
	full := `{"a":[1,"two\n",{"b":null}],"c":"d"}`
	for i := 1; i < len(full); i++ {
		var s jsonscan.Scanner
		s.Init([]byte(full[:i]))
		s.Skip()
		assert.ErrorIs(t, s.Err(), jsonscan.ErrTruncated, "%q", full[:i])
	}
}

// What a line of another writer leaves where it was put into one is an error,
// walked over or skipped.
func TestSomethingPutIntoIt(t *testing.T) {
	const other = `{"x":[1]}`
	for _, text := range []string{
		`{"a":[1,{"b":"c"},true],"d":{"e":[],"f":{}}}`,
		"{ \"a\" : [ 1 , { \"b\" : \"c\" } , true ] ,\n \"d\" : { \"e\" : [ ] , \"f\" : { } } }",
	} {
		for i := 1; i < len(text); i++ {
			mixed := text[:i] + other + text[i:]
			if json.Valid([]byte(mixed)) { // within a string
				continue
			}
			for how, read := range map[string]func(*jsonscan.Scanner){"skipped": (*jsonscan.Scanner).Skip, "walked over": walk} {
				var s jsonscan.Scanner
				s.Init([]byte(mixed))
				read(&s)
				assert.False(t, s.Err() == nil && s.AtEnd(), "%s: %s", how, mixed)
			}
		}
		var s jsonscan.Scanner
		s.Init([]byte(text))
		walk(&s)
		assert.True(t, s.Err() == nil && s.AtEnd(), text)
	}
}

func walk(s *jsonscan.Scanner) {
	switch s.Peek() {
	case '{':
		for s.Object(); ; walk(s) {
			if _, ok := s.Key(); !ok {
				return
			}
		}
	case '[':
		for s.Array(); s.Next(); {
			walk(s)
		}
	default:
		s.Text()
	}
}

func TestNumbers(t *testing.T) {
	for _, text := range []string{"0", "-0", "1", "9007199254740993", "18446744073709551615", "0.1", "123456789.123456", "1e308", "-2.5E-3", "0.000000000000001", "1234567890123456.7"} {
		got, ok := jsonscan.ParseFloat([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, want, got, text)
	}
	n, ok := jsonscan.ParseInt([]byte("1.7e18"))
	assert.True(t, ok)
	assert.EqualValues(t, int64(1.7e18), n)
	for _, text := range []string{"9223372036854775807", "-9223372036854775808", "1767225600123456789", "-1"} {
		got, ok := jsonscan.ParseInt([]byte(text))
		want, err := strconv.ParseInt(text, 10, 64)
		require.NoError(t, err)
		assert.True(t, ok, text)
		assert.Equal(t, want, got)
	}
	_, ok = jsonscan.ParseInt([]byte("9223372036854775808"))
	assert.False(t, ok, "too large")
	f, ok := jsonscan.ParseFloat([]byte("NaN"))
	assert.True(t, ok && math.IsNaN(f))
	for _, bad := range []string{"", "-", "x", "1.2.3", "--1", "1.5x"} {
		_, ok := jsonscan.ParseFloat([]byte(bad))
		assert.False(t, ok, bad)
		_, ok = jsonscan.ParseInt([]byte(bad))
		assert.False(t, ok, bad)
	}
}

func FuzzSkip(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"\"}"}],"c":null}`))
	f.Add([]byte(`[` + strings.Repeat(`[`, 10000)))
	f.Add([]byte(`"\u12`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s jsonscan.Scanner
		s.Init(data)
		s.Skip()
		if json.Valid(data) {
			if s.Err() != nil || !s.AtEnd() {
				t.Fatalf("valid JSON was not skipped: %q: %v", data, s.Err())
			}
			var want string
			if json.Unmarshal(data, &want) == nil {
				s.Init(data)
				if got := string(s.Text()); string(data[0]) == `"` && got != want && !strings.ContainsRune(want, '\uFFFD') {
					t.Fatalf("%q read as %q, want %q", data, got, want)
				}
			}
		}
		s.Init(data)
		if s.Object() {
			for {
				if _, ok := s.Key(); !ok {
					break
				}
				s.Text()
			}
		}
	})
}
