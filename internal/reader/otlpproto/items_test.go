package otlpproto

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func bytesField(num protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), data)
}

func varintField(num protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), n)
}

func fixedField(num protowire.Number, n uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), n)
}

// inScope is an export request with one item in one scope.
func inScope(item []byte) []byte { return bytesField(1, bytesField(2, bytesField(2, item))) }

// A log record is stepped over whichever of its fields it has, and in whatever
// order: it has no time of its own where only the time of its observation was
// known, and the collector writes the fields with the highest numbers first.
func TestLogRecordsAreSteppedOver(t *testing.T) {
	var flags []byte
	flags = protowire.AppendFixed32(protowire.AppendTag(flags, 8, protowire.Fixed32Type), 1)
	fields := [][]byte{
		fixedField(1, 1_700_000_000_000_000_000),
		varintField(2, 9),
		bytesField(3, []byte("INFO")),
		bytesField(5, bytesField(1, []byte("hello"))),
		bytesField(6, append(bytesField(1, []byte("retry.outcome")), bytesField(2, bytesField(1, []byte("success")))...)),
		varintField(7, 3),
		flags,
		bytesField(9, []byte{0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
		bytesField(10, []byte{0xff, 1, 2, 3, 4, 5, 6, 7}),
		fixedField(11, 1_700_000_000_000_000_000),
		bytesField(12, []byte("order.paid")),
	}
	requireSteppedOver(t, fields)
}

// A profile is too, if it says when it was taken.
func TestProfilesAreSteppedOver(t *testing.T) {
	taken := fixedField(3, 1_700_000_000_000_000_000)
	requireSteppedOver(t, [][]byte{
		bytesField(1, append(varintField(1, 1), varintField(2, 2)...)),
		bytesField(2, []byte{0xff}),
		taken,
		varintField(4, 10_000_000_000),
		bytesField(5, append(varintField(1, 3), varintField(2, 4)...)),
		varintField(6, 10_000_000),
		bytesField(7, []byte{0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
		varintField(8, 2),
		bytesField(9, []byte("pprofext")),
		bytesField(10, []byte{0x1f, 0x8b}),
		bytesField(11, []byte{1, 2, 3}),
	}, taken)
}

// requireSteppedOver reads items of every choice of fields, those among them
// that always are there, with the numbers rising and falling.
func requireSteppedOver(t *testing.T, fields [][]byte, always ...[]byte) {
	t.Helper()
	d := New(telemetry.NewRegistry(dialect.Catalog(), 0))
	for has := range 1 << len(fields) {
		var upwards, downwards []byte
		for i, f := range fields {
			if has&(1<<i) != 0 || len(always) > 0 && bytes.Equal(f, always[0]) {
				upwards, downwards = append(upwards, f...), append(f[:len(f):len(f)], downwards...)
			}
		}
		for _, item := range [][]byte{upwards, downwards} {
			var b telemetry.Batch
			require.NoError(t, d.Message(inScope(item), &b, "here"), "fields %011b: %x", has, item)
			require.Equal(t, telemetry.Batch{Recognised: true}, b, "fields %011b: %x", has, item)
		}
	}
}

// A span without times is one that can't be used, not a metric.
func TestSpansWithoutTimesAreSpans(t *testing.T) {
	fields := [][]byte{
		bytesField(1, []byte{0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
		bytesField(2, []byte{0xff, 1, 2, 3, 4, 5, 6, 7}),
		bytesField(4, []byte{0xff, 1, 2, 3, 4, 5, 6, 8}),
		bytesField(5, []byte("charge")),
		varintField(6, client),
		bytesField(9, append(bytesField(1, []byte("retry.outcome")), bytesField(2, bytesField(1, []byte("success")))...)),
		varintField(10, 1),
		bytesField(15, varintField(3, 2)),
	}
	var upwards, downwards []byte
	for _, f := range fields {
		upwards, downwards = append(upwards, f...), append(f[:len(f):len(f)], downwards...)
	}
	d := New(telemetry.NewRegistry(dialect.Catalog(), 0))
	for name, span := range map[string][]byte{"upwards": upwards, "downwards": downwards} {
		t.Run(name, func(t *testing.T) {
			var b telemetry.Batch
			require.NoError(t, d.Message(inScope(span), &b, "here"))
			require.EqualValues(t, 1, b.SpanN)
			require.Equal(t, []telemetry.Skip{{Reason: telemetry.ReasonTimes, Count: 1, Where: "here"}}, b.Skips)
		})
	}
}

// A span that says neither its kind nor its times is one all the same, whichever
// of its other fields it has: its frame must not be given up because it is no
// metric.
func TestSpansWithoutKindAndTimesAreSpans(t *testing.T) {
	ids := append(bytesField(1, []byte{0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), bytesField(2, []byte{0xff, 1, 2, 3, 4, 5, 6, 7})...)
	outcome := bytesField(9, append(bytesField(1, []byte("retry.outcome")), bytesField(2, bytesField(1, []byte("success")))...))
	fields := [][]byte{
		bytesField(3, []byte("vendor=1")),
		bytesField(4, []byte{0xff, 1, 2, 3, 4, 5, 6, 8}),
		bytesField(5, []byte("charge")),
		append(outcome[:len(outcome):len(outcome)], outcome...),
		bytesField(11, append(fixedField(1, 5), bytesField(2, []byte("retry"))...)),
		bytesField(13, append(bytesField(1, make([]byte, 16)), bytesField(2, make([]byte, 8))...)),
		bytesField(15, varintField(3, 2)),
	}
	usable := append(fixedField(7, 1), append(fixedField(8, 2), outcome...)...)
	d := New(telemetry.NewRegistry(dialect.Catalog(), 0))
	for has := range 1 << len(fields) {
		upwards, downwards := ids[:len(ids):len(ids)], ids[:len(ids):len(ids)]
		for i, f := range fields {
			if has&(1<<i) != 0 {
				upwards, downwards = append(upwards, f...), append(f[:len(f):len(f)], downwards...)
			}
		}
		for _, span := range [][]byte{upwards, downwards} {
			var b telemetry.Batch
			scope := append(bytesField(2, span), bytesField(2, usable)...)
			require.NoError(t, d.Message(bytesField(1, bytesField(2, scope)), &b, "here"), "fields %07b: %x", has, span)
			require.Len(t, b.Spans, 1, "fields %07b: the next span", has)
			if has&(1<<3) != 0 { // only one that tells of retries is missed
				require.Equal(t, []telemetry.Skip{{Reason: telemetry.ReasonTimes, Count: 1, Where: "here"}}, b.Skips, "fields %07b: %x", has, span)
			}
		}
	}
}

// An attribute of no bytes, wherever it stands, says nothing.
func TestAttributesOfNothing(t *testing.T) {
	nothing := bytesField(9, nil)
	outcome := bytesField(9, append(bytesField(1, []byte("retry.outcome")), bytesField(2, bytesField(1, []byte("retried_success")))...))
	d := New(telemetry.NewRegistry(dialect.Catalog(), 0))
	for name, attributes := range map[string][]byte{
		"first": append(nothing[:2:2], outcome...), "last": append(outcome[:len(outcome):len(outcome)], nothing...), "alone": nothing,
	} {
		for place, span := range map[string][]byte{
			"at the end":   append(append(fixedField(7, 1), fixedField(8, 2)...), attributes...),
			"at the start": append(append(attributes[:len(attributes):len(attributes)], fixedField(8, 2)...), fixedField(7, 1)...),
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				var b telemetry.Batch
				require.NoError(t, d.Message(inScope(span), &b, "here"))
				require.Empty(t, b.Skips)
				require.Len(t, b.Spans, map[bool]int{true: 0, false: 1}[name == "alone"])
			})
		}
	}
}
