package jsonscan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func scanner(data string) *Scanner {
	s := &Scanner{}
	s.Init([]byte(data))
	return s
}

func TestFieldReadsWhatIsExpectedOrNothing(t *testing.T) {
	const before = `,"id":"`
	for name, c := range map[string]struct {
		data string
		want string
		n    int
	}{
		"as expected":          {`,"id":"0123456789abcdef","x"`, "0123456789abcdef", 16},
		"no multiple of eight": {`,"id":"1769817600000000000"`, "1769817600000000000", 19},
		"another key":          {`,"ie":"0123456789abcdef"`, "", 16},
		"a space":              {`,"id": "0123456789abcdef"`, "", 16},
		"shorter":              {`,"id":"0123456789abcde","","`, "", 16},
		"longer":               {`,"id":"0123456789abcdef0"`, "", 16},
		"an escape":            {`,"id":"01234567\u9abcdef"`, "", 16},
		"a quote within":       {`,"id":"0123456","9abcdef"`, "", 16},
		"a quote at its end":   {`,"id":"1769817600000000","""`, "", 19},
		"cut short":            {`,"id":"0123456789abcdef`, "", 16},
		"nothing":              {``, "", 16},
	} {
		t.Run(name, func(t *testing.T) {
			s := scanner(c.data)
			assert.Equal(t, c.want, string(s.Field(before, c.n)))
			if c.want == "" {
				assert.Zero(t, s.Pos())
				return
			}
			assert.Equal(t, len(before)+c.n+1, s.Pos())
		})
	}
}

func TestLiteral(t *testing.T) {
	s := scanner(`{"a":1}`)
	assert.False(t, s.Literal(`{"b"`))
	assert.False(t, s.Literal(`{"a":1} `))
	assert.True(t, s.Literal(`{"a":`))
	assert.Equal(t, "1", string(s.Text()))
	s.Fail(assert.AnError)
	assert.False(t, s.Literal(`}`))
}

func TestFlatEndsAtTheFirstBracket(t *testing.T) {
	for data, want := range map[string]string{
		`[1,2],3]`:  `[1,2]`,
		` [] `:      `[]`,
		`["a]b"]`:   `["a]`,
		`[[1],[2]]`: `[[1]`,
		`{"a":[1]}`: ``,
		`[1,2`:      ``,
		``:          ``,
		`null`:      ``,
		`"[1]"`:     ``,
	} {
		s := scanner(data)
		assert.Equal(t, want, string(s.Flat()), data)
	}
}
