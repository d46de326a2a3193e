package reader_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// TestExtremesAreRead: each format that has the largest value of a histogram
// keeps a quantile, which the bucket alone puts at 1.75 s, below it.
func TestExtremesAreRead(t *testing.T) {
	otlp := func(kind, buckets, largest string) []byte {
		return fmt.Appendf(nil, `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.request.duration","unit":"s",%q:{"aggregationTemporality":2,`+
			`"dataPoints":[{"startTimeUnixNano":"1","timeUnixNano":"2","count":"4","sum":4.2,"min":1.01,%s%s}]}}]}]}]}`+"\n", kind, largest, buckets)
	}
	stdout := func(largest string) []byte {
		return fmt.Appendf(nil, `{"Resource":[],"ScopeMetrics":[{"Scope":{"Name":"x"},"Metrics":[{"Name":"otelretry.request.duration","Unit":"s","Data":{"DataPoints":[`+
			`{"Attributes":[],"StartTime":"2026-01-01T00:00:00Z","Time":"2026-01-01T00:00:10Z","Count":4,"Bounds":[1,2.5],"BucketCounts":[0,4,0],"Min":1.01,%s"Sum":4.2}],`+
			`"Temporality":"CumulativeTemporality"}}]}]}`+"\n", largest)
	}
	const explicit, exponential = `,"explicitBounds":[1,2.5],"bucketCounts":["0","4","0"]`, `,"scale":0,"positive":{"bucketCounts":["4"]}`
	for name, tt := range map[string]struct {
		data []byte
		want float64
	}{
		"OTLP JSON":                       {otlp("histogram", explicit, `"max":1.1`), 1.1},
		"OTLP JSON, null":                 {otlp("histogram", explicit, `"max":null`), 1.75},
		"OTLP JSON, exponential":          {otlp("exponentialHistogram", exponential, `"max":1.1`), 1.1},
		"OTLP protobuf":                   {protoHistogram(9, 11, 1.1), 1.1},
		"OTLP protobuf, without":          {protoHistogram(9, 0, 0), 1.75},
		"OTLP protobuf, exponential":      {protoHistogram(10, 12, 1.1), 1.1},
		"OTLP protobuf, without, by base": {protoHistogram(10, 0, 0), math.Sqrt2},
		"stdout":                          {stdout(`"Max":1.1,`), 1.1},
		"stdout, an object without value": {stdout(`"Max":{},`), 1.75},
		"stdout, without":                 {stdout(""), 1.75},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := summarise(t, writeFile(t, "telemetry", tt.data))
			require.NoError(t, err)
			require.Empty(t, s.Input.Skipped)
			require.NotNil(t, s.Total.RequestDuration)
			require.NotNil(t, s.Total.RequestDuration.P50)
			assert.InDelta(t, tt.want, *s.Total.RequestDuration.P50, 1e-9)
		})
	}
}

// protoHistogram is an export of one histogram, kind being its field in a
// metric: 9 has explicit buckets, 10 exponential ones. Its smallest value is 1.01;
// the largest follows where smallest, the field of the smallest one, is not 0.
func protoHistogram(kind, smallest protowire.Number, largest float64) []byte {
	fixed := func(to []byte, num protowire.Number, n uint64) []byte {
		return protowire.AppendFixed64(protowire.AppendTag(to, num, protowire.Fixed64Type), n)
	}
	message := func(to []byte, num protowire.Number, data []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(to, num, protowire.BytesType), data)
	}
	double := func(to []byte, num protowire.Number, v float64) []byte { return fixed(to, num, math.Float64bits(v)) }

	point := fixed(fixed(fixed(nil, 2, 1), 3, 2), 4, 4)
	point = double(point, 5, 4.2)
	if kind == 9 {
		for _, n := range []uint64{0, 4, 0} {
			point = fixed(point, 6, n)
		}
		point = double(double(point, 7, 1), 7, 2.5)
	} else {
		point = message(point, 8, message(nil, 2, []byte{4}))
	}
	if smallest != 0 {
		point = double(double(point, smallest, 1.01), smallest+1, largest)
	}
	histogram := protowire.AppendVarint(protowire.AppendTag(message(nil, 1, point), 2, protowire.VarintType), 2)
	metric := message(message(message(nil, 1, []byte("otelretry.request.duration")), 3, []byte("s")), kind, histogram)
	return message(nil, 1, message(nil, 2, message(nil, 2, metric)))
}
