package render_test

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/summary"
)

// Names come out of CSV as they went in, whatever a spreadsheet makes of them,
// and numbers are numbers.
func TestCSVKeepsNames(t *testing.T) {
	requests, added := 5.0, -0.25
	names := []string{`=HYPERLINK("http://x","y")`, "+1+1", "-1", "@SUM(A1)", "\t=1", "a,b", "a\nb", `"`, "'=1", " a ", "ü", ""}
	s := &summary.Summary{}
	for _, name := range names {
		s.Operations = append(s.Operations, summary.Operation{Dependency: name, Operation: name, Figures: summary.Figures{
			Requests: &requests, AddedLatency: &summary.Distribution{Mean: &added}, RetriesByClass: map[string]float64{"=503": 2},
		}})
	}
	var out bytes.Buffer
	require.NoError(t, render.Write(&out, "csv", s, render.Options{}))
	records, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	column := map[string]int{}
	for i, title := range records[0] {
		column[title] = i
	}
	require.Len(t, records, len(names)+2, "a header, the operations and the total")
	for i, name := range names {
		record := records[i+1]
		assert.Equal(t, name, record[column["dependency"]])
		assert.Equal(t, name, record[column["operation"]])
		assert.Equal(t, "5", record[column["requests"]])
		assert.Equal(t, "-0.25", record[column["added_latency"]])
		assert.Equal(t, "=503: 2", record[column["retries_by_class"]])
		assert.Empty(t, record[column["attempts"]], "not known")
	}
}
