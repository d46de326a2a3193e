package render

import (
	"encoding/json"
	"io"

	"github.com/retrykit/retrykit/internal/summary"
)

// writeJSON writes the public JSON form.
func writeJSON(w io.Writer, s *summary.Summary) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s)
}
