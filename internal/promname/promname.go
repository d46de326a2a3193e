// Package promname translates OpenTelemetry names into the names under which
// Prometheus stores them. Which of the four translations applies is a setting
// of the Prometheus server (otlp.translation_strategy) or of the exporter.
package promname

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
)

// Naming is one of the four translations, by Prometheus' own name for it.
type Naming string

// The translations that Prometheus and the OpenTelemetry exporters offer.
const (
	UnderscoreEscapingWithSuffixes    Naming = "UnderscoreEscapingWithSuffixes" // the default
	UnderscoreEscapingWithoutSuffixes Naming = "UnderscoreEscapingWithoutSuffixes"
	NoUTF8EscapingWithSuffixes        Naming = "NoUTF8EscapingWithSuffixes"
	NoTranslation                     Naming = "NoTranslation"
)

// All returns the four translations, the default first.
func All() []Naming {
	return []Naming{
		UnderscoreEscapingWithSuffixes, UnderscoreEscapingWithoutSuffixes,
		NoUTF8EscapingWithSuffixes, NoTranslation,
	}
}

// Parse returns the translation of that name; the empty string is the default.
func Parse(s string) (Naming, error) {
	if s == "" {
		return UnderscoreEscapingWithSuffixes, nil
	}
	for _, n := range All() {
		if strings.EqualFold(s, string(n)) {
			return n, nil
		}
	}
	var names []string
	for _, n := range All() {
		names = append(names, string(n))
	}
	return "", fmt.Errorf("unknown name translation %q: use one of %s", s, strings.Join(names, ", "))
}

func (n Naming) suffixes() bool {
	return n != UnderscoreEscapingWithoutSuffixes && n != NoTranslation
}

// UTF8 reports whether names keep their dots, so that PromQL must quote them.
func (n Naming) UTF8() bool {
	return n == NoUTF8EscapingWithSuffixes || n == NoTranslation
}

// unitWords are the words that stand for UCUM units in metric names.
var unitWords = map[string]string{
	"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds",
	"min": "minutes", "h": "hours", "d": "days", "By": "bytes", "%": "percent",
}

// Metric returns the name of m's series; histograms get no _bucket, _sum or
// _count here, see Part.
func (n Naming) Metric(m contract.Metric) string {
	name := m.Name
	if !n.UTF8() {
		name = escape(name)
	}
	if !n.suffixes() {
		return name
	}
	unit := m.Unit
	if strings.HasPrefix(unit, "{") {
		unit = ""
	}
	if word, ok := unitWords[unit]; ok && !strings.HasSuffix(name, "_"+word) {
		name += "_" + word
	}
	if unit == "1" && m.Instrument == contract.Gauge {
		name += "_ratio"
	}
	if m.Instrument == contract.Counter && !strings.HasSuffix(name, "_total") {
		name += "_total"
	}
	return name
}

// Part returns the name of a classic histogram's part: "bucket", "sum" or "count".
func (n Naming) Part(m contract.Metric, part string) string {
	return n.Metric(m) + "_" + part
}

// Label returns the name of an attribute's label.
func (n Naming) Label(attr string) string {
	if n.UTF8() {
		return attr
	}
	return escape(attr)
}

// QuoteLabel returns the label as PromQL wants it in matchers and groupings.
func (n Naming) QuoteLabel(attr string) string {
	label := n.Label(attr)
	if plain(label) {
		return label
	}
	return strconv.Quote(label)
}

// Selector returns the PromQL selector of a metric's series, such as
// `name{a="b"}` or, for a name with dots, `{"na.me",a="b"}`. Matchers are
// given complete, see Match; empty ones are left out.
func Selector(name string, matchers ...string) string {
	var kept []string
	for _, m := range matchers {
		if m != "" {
			kept = append(kept, m)
		}
	}
	if plain(name) {
		if len(kept) == 0 {
			return name
		}
		return name + "{" + strings.Join(kept, ",") + "}"
	}
	return "{" + strings.Join(append([]string{strconv.Quote(name)}, kept...), ",") + "}"
}

// Match returns one matcher; op is "=", "!=", "=~" or "!~".
func (n Naming) Match(attr, op, value string) string {
	return n.QuoteLabel(attr) + op + strconv.Quote(value)
}

func plain(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':'
		if !letter && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return name != ""
}

// escape replaces what a classic Prometheus name may not hold by underscores.
func escape(name string) string {
	b := []byte(name)
	for i, c := range b {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= '0' && c <= '9' && i > 0
		if !ok {
			b[i] = '_'
		}
	}
	return string(b)
}
