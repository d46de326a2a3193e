package promapi_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promapi"
	"github.com/retrykit/retrykit/internal/promname"
)

// ranges answers every question with one, and a range with one at each step, as
// Prometheus does; it refuses what Prometheus refuses.
func ranges(w http.ResponseWriter, r *http.Request) {
	const metric = `{"metric":{"retry_dependency":"pay","retry_operation":"charge"},`
	if !strings.HasSuffix(r.URL.Path, "_range") {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[`+metric+`"value":[1,"1"]}]}}`)
		return
	}
	number := func(name string) float64 {
		n, err := strconv.ParseFloat(r.FormValue(name), 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	start, end, step := number("start"), number("end"), number("step")
	if end < start || step <= 0 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"status":"error","errorType":"bad_data","error":"end timestamp must not be before start time"}`)
		return
	}
	var points []string
	for i := 0; start+float64(i)*step <= end+1e-9; i++ {
		points = append(points, fmt.Sprintf(`[%.3f,"1"]`, start+float64(i)*step))
	}
	fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[`+metric+`"values":[`+strings.Join(points, ",")+`]}]}}`)
}

// The slots cover the window and nothing else, however short or odd it is.
func TestTimelineCoversTheWindow(t *testing.T) {
	url := answering(t, ranges)
	end := time.Unix(1767225600, 0).UTC()
	for window, slots := range map[time.Duration]int{
		500 * time.Millisecond: 1, 5 * time.Second: 1, 15 * time.Second: 1, 20 * time.Second: 1, 31 * time.Second: 2,
		5 * time.Minute: 20, time.Hour: 60, 100 * time.Minute: 60, 400 * 24 * time.Hour: 60,
	} {
		s, err := promapi.Summarise(t.Context(), promapi.Options{
			Connection: promapi.Connection{URL: url}, End: end, Window: window, Naming: promname.UnderscoreEscapingWithSuffixes, Timeline: true,
		})
		require.NoError(t, err, window)
		require.Len(t, s.Timeline, slots, window)
		first, last := s.Timeline[0], s.Timeline[slots-1]
		assert.WithinDuration(t, end.Add(-window), first.Start, time.Duration(slots)*time.Millisecond, window)
		assert.WithinDuration(t, end, last.Start.Add(last.Width), time.Millisecond, window)
	}
}
