package telemetrygen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// PromOptions are the forms of an exposition.
type PromOptions struct {
	Naming      promname.Naming // the default when empty
	OpenMetrics bool            // _created and # EOF
	Timestamps  bool
}

// Prom returns the export's metrics as a scrape of the process would return
// them; histograms have to be explicit.
func (e *Export) Prom(o PromOptions) []byte {
	naming := o.Naming
	if naming == "" {
		naming = promname.UnderscoreEscapingWithSuffixes
	}
	var b bytes.Buffer
	for i := range e.Metrics {
		m := &e.Metrics[i]
		name := naming.Metric(m.Metric)
		kind := "counter"
		if m.Instrument == contract.Histogram {
			kind = "histogram"
		}
		family := name
		if o.OpenMetrics {
			family = strings.TrimSuffix(name, "_total")
		}
		if naming.UTF8() {
			family = strconv.Quote(family)
		}
		fmt.Fprintf(&b, "# HELP %s of the generator\n# TYPE %s %s\n", family, family, kind)
		for j := range m.Points {
			p := &m.Points[j]
			line := func(suffix string, value string, extra ...string) {
				var matchers []string
				for _, a := range append(e.Resource[1:2:2], p.Attrs...) {
					matchers = append(matchers, naming.QuoteLabel(a.Key)+`="`+promValue(fmt.Sprint(a.Value))+`"`)
				}
				matchers = append(matchers, extra...)
				b.WriteString(promname.Selector(name+suffix, matchers...) + " " + value)
				if o.Timestamps && o.OpenMetrics {
					fmt.Fprintf(&b, " %.3f", float64(p.Time.UnixMilli())/1e3)
				} else if o.Timestamps {
					fmt.Fprintf(&b, " %d", p.Time.UnixMilli())
				}
				b.WriteByte('\n')
			}
			created := strconv.FormatFloat(float64(p.Start.UnixNano())/1e9, 'f', 9, 64)
			if p.Hist == nil {
				line("", strconv.FormatFloat(p.Value, 'g', -1, 64))
				if o.OpenMetrics {
					total := name
					name = strings.TrimSuffix(name, "_total")
					line("_created", created)
					name = total
				}
				continue
			}
			cumulative := uint64(0)
			for k, bound := range p.Hist.Bounds {
				cumulative += p.Hist.Buckets[k]
				line("_bucket", strconv.FormatUint(cumulative, 10), `le="`+strconv.FormatFloat(bound, 'g', -1, 64)+`"`)
			}
			line("_bucket", strconv.FormatUint(p.Hist.Count, 10), `le="+Inf"`)
			line("_sum", strconv.FormatFloat(p.Hist.Sum, 'g', -1, 64))
			line("_count", strconv.FormatUint(p.Hist.Count, 10))
			if o.OpenMetrics {
				line("_created", created)
			}
		}
	}
	if o.OpenMetrics {
		b.WriteString("# EOF\n")
	}
	return b.Bytes()
}

func promValue(v string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(v)
}
