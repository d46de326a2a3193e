package otlpproto

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/telemetry"
)

type attribute struct{ key, value string }

// written is an attribute in one of the ways in which protobuf may write it.
func (a attribute) written(t *rapid.T) []byte {
	key := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), a.key)
	text := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), a.value)
	value := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), text)
	switch rapid.SampledFrom([]int{0, 0, 0, 0, 1, 1, 1, 1, 2, 3}).Draw(t, "writing") { // mostly the usual ones
	case 0:
		return append(key, value...)
	case 1:
		return append(value, key...)
	case 2: // a key that a later one replaces
		return append(append(protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "other"), value...), key...)
	}
	return append(append(key, value...), protowire.AppendVarint(protowire.AppendTag(nil, 9, protowire.VarintType), 1)...)
}

// vocabularies are of spans about retries, of those of HTTP, and of all others.
var vocabularies = [][]string{
	{"retry.outcome", "retry.attempts", "retry.attempt.number", "retry.dependency", "retry.operation", "error.type", "retry."},
	{"http.request.method", "http.method", "server.address", "url.path", "http.route", "http.response.status_code"},
	{"http.request.resend_count", "http.resend_count", "http.request.method", "", "server.address", strings.Repeat("k", 130)},
}

// Whether a span is wanted is decided by the keys of its attributes before any
// is decoded: it must be what decoding all of them decides.
func TestSpansAreKeptAsIfAllWasDecoded(t *testing.T) {
	registry := telemetry.NewRegistry(dialect.Catalog(), 0)
	d := New(registry)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SampledFrom(vocabularies).Draw(t, "vocabulary")
		attributes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) attribute {
			return attribute{
				rapid.SampledFrom(keys).Draw(t, "key"),
				rapid.SampledFrom([]string{"1", "2", "3", "GET", "POST", "", "text", strings.Repeat("v", 125), strings.Repeat("v", 300), strings.Repeat("v", 20_000)}).Draw(t, "value"),
			}
		}), 0, 6).Draw(t, "attributes")
		kind := rapid.SampledFrom([]uint64{0, 1, 2, client, client, client}).Draw(t, "kind")

		fields := [][]byte{
			protowire.AppendFixed64(protowire.AppendTag(nil, 7, protowire.Fixed64Type), 100),
			protowire.AppendFixed64(protowire.AppendTag(nil, 8, protowire.Fixed64Type), 200),
			protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), make([]byte, 16)),
			protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), make([]byte, 8)),
			protowire.AppendString(protowire.AppendTag(nil, 5, protowire.BytesType), "name"),
			protowire.AppendVarint(protowire.AppendTag(nil, 6, protowire.VarintType), kind),
		}
		fields = rapid.Permutation(fields).Draw(t, "order")
		at := rapid.IntRange(0, len(fields)).Draw(t, "attributes after")
		split := rapid.IntRange(0, len(attributes)).Draw(t, "attributes at the end")

		var span []byte
		appendAttributes := func(list []attribute) {
			for _, a := range list {
				span = protowire.AppendBytes(protowire.AppendTag(span, 9, protowire.BytesType), a.written(t))
			}
		}
		for i, f := range fields {
			if i == at {
				appendAttributes(attributes[:split])
			}
			span = append(span, f...)
		}
		if at == len(fields) {
			appendAttributes(attributes[:split])
		}
		appendAttributes(attributes[split:])

		want := telemetry.NewSpanBuilder(registry)
		want.Reset()
		for _, a := range attributes {
			want.Attr([]byte(a.key), []byte(a.value))
		}
		kept := want.Build([]byte("name"), kind == client)
		want.Start, want.End = 100, 200

		var b telemetry.Batch
		d.batch = &b
		require.NoError(t, d.readSpan(span))
		if !kept {
			require.Empty(t, b.Spans)
			return
		}
		require.Equal(t, []telemetry.Span{want.Span}, b.Spans)
	})
}
