package telemetry

import (
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// Catalog knows the metrics worth keeping, under every name they travel by:
// the OpenTelemetry name and its four translations for Prometheus. Immutable.
type Catalog struct {
	metrics map[string]contract.Metric
	attrs   map[string]string
}

// NewCatalog makes the catalog of these metrics and of the attributes that
// questions are asked about.
func NewCatalog(metrics []contract.Metric, attrs []string) *Catalog {
	c := &Catalog{metrics: map[string]contract.Metric{}, attrs: map[string]string{}}
	for _, m := range metrics {
		c.metrics[m.Name] = m
	}
	for _, m := range metrics {
		for _, naming := range promname.All() {
			name := naming.Metric(m)
			if _, taken := c.metrics[name]; !taken {
				c.metrics[name] = m
			}
		}
	}
	for _, attr := range attrs {
		c.attrs[attr] = attr
		if label := promname.UnderscoreEscapingWithSuffixes.Label(attr); label != attr {
			if _, taken := c.attrs[label]; !taken {
				c.attrs[label] = attr
			}
		}
	}
	return c
}

// Metric returns the metric that travels under name; false when it is not
// worth keeping.
func (c *Catalog) Metric(name []byte) (contract.Metric, bool) {
	m, ok := c.metrics[string(name)]
	return m, ok
}

// Attr returns the canonical key of an attribute: of a Prometheus label the
// attribute that it was made from.
func (c *Catalog) Attr(key string) string {
	if attr, ok := c.attrs[key]; ok {
		return attr
	}
	return key
}

// Family returns the metric that a Prometheus sample's name belongs to, and
// which part of it the sample is: "" (the value), "bucket", "sum", "count" or
// "created".
func (c *Catalog) Family(name []byte) (m contract.Metric, part string, ok bool) {
	if m, ok = c.metrics[string(name)]; ok {
		return m, "", true
	}
	for _, p := range []string{"bucket", "sum", "count", "created", "total"} {
		base, found := strings.CutSuffix(string(name), "_"+p)
		if !found {
			continue
		}
		if m, ok = c.metrics[base]; !ok {
			// OpenMetrics: x_total's start time is x_created.
			if m, ok = c.metrics[base+"_total"]; !ok || p != "created" {
				return m, "", false
			}
		}
		if p == "total" {
			p = ""
		}
		return m, p, true
	}
	return m, "", false
}
