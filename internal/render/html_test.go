package render

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/summary"
)

// writes counts what is written, and how often.
type writes struct{ n, bytes int }

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	w.bytes += len(p)
	return len(p), nil
}

// A report of many operations is written in large pieces.
func TestHTMLIsWrittenInLargePieces(t *testing.T) {
	var s summary.Summary
	for i := range 2000 {
		s.Operations = append(s.Operations, summary.Operation{Dependency: "payments", Operation: fmt.Sprint("operation ", i)})
	}
	var w writes
	require.NoError(t, Write(&w, "html", &s, Options{}))
	assert.LessOrEqual(t, w.n, w.bytes/(32<<10)+2)
}
