package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A name is shown as it is, whatever it would mean in Markdown.
func TestEscapeMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"charge":        "charge",
		"a|b":           `a\|b`,
		`a\|b`:          `a\\\|b`, // else the backslash is escaped, and the pipe begins a cell
		"[x](http://y)": `\[x\](http://y)`,
		"![x](y)":       `!\[x\](y)`,
		"&lt;b&gt;":     "&amp;lt;b&amp;gt;",
		"<b>":           "&lt;b>",
		"_OTHER":        `\_OTHER`,
		"~~x~~":         `\~\~x\~\~`,
		"`*`":           "\\`\\*\\`",
	} {
		assert.Equal(t, want, escapeMarkdown(text))
	}
}
